// Pictures of every page: node test/browser/shots.mjs FOLDER [PAGE…]. LOOKS chooses colours and widths, TALLEST cuts them below.
import { mkdirSync } from 'node:fs';
import { everyPage, launch, openPage, relay, visit } from './browser.mjs';

const [folder, ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const served = await relay();
const browser = await launch();
const pages = await everyPage(served.url);
for (const [name, path] of Object.entries(pages)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const looks = (process.env.LOOKS ?? 'light-1366 dark-1366 light-768 light-390').split(' ').map((look) => look.split('-'));
  for (const [scheme, size] of looks) {
    const width = Number(size);
    const opened = await openPage(browser, served.url, { width, scheme, height: width === 390 ? 844 : 860 });
    await visit(opened, path);
    const height = await opened.page.evaluate(() => document.documentElement.scrollHeight);
    await opened.page.setViewportSize({ width, height: Math.min(height, Number(process.env.TALLEST ?? 5000)) });
    await opened.page.screenshot({ path: `${folder}/${name}-${scheme}-${width}.png` });
    if (opened.faults.length) console.log(name, scheme, width, opened.faults);
    await opened.context.close();
  }
}
await browser.close();
await served.stop();
