// Writes file.br and file.gz beside each file: node compress.mjs <quality> <file>...
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [quality, ...files] = process.argv.slice(2);
await Promise.all(
  files.map(async (file) => {
    const data = await readFile(file);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: Number(quality),
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
    };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(data, { params }));
    await writeFile(`${file}.gz`, await promisify(gzip)(data, { level: 9 }));
  }),
);
