// Runs compile.py inside Pyodide: node build.mjs <pyodide> <sources> <packages> <out>
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [pyodide, sources, packages, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${pyodide}/` });
for (const [place, root] of [
  ["/src", sources],
  ["/packages", packages],
  ["/out", out],
]) {
  python.FS.mkdirTree(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
try {
  python.runPython(await readFile(new URL("compile.py", import.meta.url), "utf8"));
} catch (fault) {
  console.error(String(fault.message).slice(-3000));
  process.exit(1);
}
