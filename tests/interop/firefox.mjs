// Firefox takes along what pads need without network, and plays a game when the site is gone.
// node firefox.mjs <firefox> <site>; it says "stop" when the site is to go, and waits for a line.
import puppeteer from "puppeteer-core";
import { once } from "node:events";

const [program, site] = process.argv.slice(2);
const PATIENCE_MS = 180_000;
const NAMES = ["Ada", "Ben", "Cy"];

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: program,
  headless: true,
  protocolTimeout: PATIENCE_MS,
});
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${site}/phone/`);
  await page.waitForSelector("[data-do]:not([hidden]) [data-take]");
  await page.click("[data-take]");
  await page.waitForSelector("[data-ready]:not([hidden])").catch(async (fault) => {
    throw new Error(`${await page.$eval("[data-says]", (says) => says.textContent)} ${fault.message}`);
  });
  console.log("stop");
  await once(process.stdin, "data");
  await page.goto(`${site}/pads/here-new/?game=victory-rummy`);
  await page.waitForSelector("input[name=name]");
  for (const [number, field] of (await page.$$("input[name=name]")).slice(0, NAMES.length).entries())
    await field.type(NAMES[number]);
  await page.click(".starting__go");
  await page.waitForSelector("#pad[data-head='0']");
  for (const [head, number] of [0, 5, 3].entries()) {
    // A finger that comes again at once is a bounce.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await (await page.$$("#keys button"))[number].click();
    await page.waitForSelector(`#pad[data-head='${head + 1}']`);
  }
  await page.reload();
  await page.waitForSelector("#pad[data-head='3']");
  const totals = await page.$$eval(".seat__total", (all) => all.map((one) => one.textContent));
  console.log(JSON.stringify({ browser: await browser.version(), totals }));
} finally {
  await browser.close();
}
process.exit(0);
