// Every page, in light, dark and high contrast, on a desk, a tablet and a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibility, everyPage, launch, openPage, relay, sideways, unable, violations, visit } from './browser.mjs';

const skip = unable();
let browser;
let served;
let pages;

before(async () => {
  if (skip) return;
  served = await relay();
  browser = await launch();
  pages = await everyPage(served.url);
});

after(async () => {
  await browser?.close();
  await served?.stop();
});

const looks = [
  ...[1366, 768, 390].flatMap((width) => ['light', 'dark'].map((scheme) => ({ width, scheme }))),
  { width: 1366, scheme: 'light', theme: 'contrast' },
  { width: 390, scheme: 'dark', theme: 'contrast' },
];

for (const look of looks) {
  test(`acceptance 16: every page is sound, with no serious finding of axe: ${look.theme ?? look.scheme}, ${look.width} px`, { skip }, async () => {
    const opened = await openPage(browser, served.url, look);
    const faults = [];
    for (const [name, path] of Object.entries(pages)) {
      await visit(opened, path);
      const over = await sideways(opened.page);
      if (over > 0) faults.push(`${name} scrolls sideways by ${over} px`);
      if (!(await opened.page.textContent('h1')).trim()) faults.push(`${name} has no heading`);
      for (const fault of [...(await accessibility(opened.page)), ...(await violations(opened.page)), ...opened.faults.splice(0)])
        faults.push(`${name}: ${fault}`);
    }
    await opened.context.close();
    assert.deepEqual(faults, []);
  });
}

test('without scripts the page names its twins for programs', { skip }, async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(served.url);
  const said = await page.textContent('main');
  for (const twin of ['/api/v1/overview', '/api/v1/pulls', '/api/v1/deliveries', '/api/v1/dead', '/api/v1/openapi.json'])
    assert.ok(said.includes(twin), twin);
  await context.close();
});

test('assets are hashed, compressed and kept for ever', { skip }, async () => {
  const html = await (await fetch(served.url)).text();
  const names = [...html.matchAll(/\/assets\/[\w-]+\.\w+/g)].map(([name]) => name);
  assert.ok(names.length >= 4);
  for (const name of names) {
    assert.match(name, /-[A-Z0-9]{8}\.(js|css|svg)$/);
    const response = await fetch(served.url + name, { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('Cache-Control') ?? '', /immutable/);
  }
  assert.doesNotMatch(html, /<style|style=|<script>|onload=/);
});

test('charts are loaded only where they are drawn', { skip }, async () => {
  const opened = await openPage(browser, served.url);
  const scripts = [];
  opened.page.on('request', (request) => request.url().includes('day_chart') && scripts.push(request.url()));
  await visit(opened, pages.overview);
  assert.deepEqual(scripts, []);
  await visit(opened, pages.downstream);
  await opened.page.waitForSelector('.chart canvas');
  assert.equal(scripts.length, 1);
  await opened.context.close();
});
