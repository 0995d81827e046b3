// Much at once: a grid of 200 by 300 and lists of 10,000 rows. Times are printed, sizes and what one can do with them are held.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as examples from '../stand_in/examples.mjs';
import { accessibility, launch, openPage, real, relay, settled, sideways, unable, visit } from './browser.mjs';

const skip = unable() || (real && 'these need a relay that tells what the test wants');
const total = 10_000;
let browser;

before(async () => {
  if (!skip) browser = await launch();
});

after(async () => browser?.close());

const name = examples.downstreamNames[0];
const large = (kind, answer) => (kind === 'grid' ? examples.grid({ now: Date.now(), name, rows: 200, columns: 300 }) : answer);
const long = (kind, answer, asked) =>
  kind === 'pulls' ? examples.pulls({ ...asked, limit: Number(asked.limit ?? 50), state: 'all', total }) : answer;

const nodes = (page) => page.evaluate(() => document.querySelectorAll('*').length);
const spot = (page) => page.evaluate(() => document.activeElement?.dataset.spot);

test('a grid of 200 by 300 is at most 8,000 nodes, scrolls in its frame and is accessible', { skip }, async (t) => {
  const served = await relay({ change: large }, t);
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await visit(opened, '/b/openrisc/tensor-riscv'); // a first visit, so that the code is there
  await page.evaluate((to) => {
    globalThis.begun = performance.now();
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/b/${name}?event=nightly`);
  const took = await page.evaluate(
    () =>
      new Promise((done) => {
        const look = () =>
          document.querySelectorAll('.grid-row').length > 200 && !document.querySelector('[aria-busy="true"]')
            ? requestAnimationFrame(() => done(performance.now() - globalThis.begun))
            : requestAnimationFrame(look);
        look();
      }),
  );
  const answered = await page.evaluate(
    () =>
      performance
        .getEntriesByType('resource')
        .filter(({ name: of }) => of.includes('/grid'))
        .at(-1).duration,
  );
  t.diagnostic(`200 x 300 drawn ${Math.round(took)} ms after it was asked for, ${Math.round(answered)} of them the answer (wanted: 300)`);
  const count = await nodes(page);
  t.diagnostic(`${count} nodes`);
  assert.ok(count <= 8000, `${count} nodes`);
  assert.ok((await sideways(page)) <= 0, 'the page itself does not scroll sideways');
  const frame = await page.$eval('.grid-frame .scroll', (box) => {
    box.scrollLeft = 5000;
    return { wide: box.scrollWidth > box.clientWidth * 4, moved: box.scrollLeft };
  });
  assert.deepEqual(frame, { wide: true, moved: 5000 });
  const left = await page.$$eval('.grid-frame .scroll, .grid-row:not(.grid-head) .grid-what', ([box, first]) =>
    [box, first].map((one) => Math.round(one.getBoundingClientRect().left)),
  );
  assert.equal(left[0], left[1], 'the commit stays in sight');
  const wrong = await page.evaluate(
    () =>
      [...document.querySelectorAll('.grid-row:not(.grid-head) .run')]
        .slice(0, 20)
        .filter((run) => Math.abs(run.getBoundingClientRect().width - 300 * 28) > 28).length,
  );
  assert.equal(wrong, 0, 'runs and columns have the same width');
  assert.deepEqual(await accessibility(page), []);
});

test('a grid of 200 by 300 is walked by keyboard to its last row and column', { skip }, async (t) => {
  const served = await relay({ change: large }, t);
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await visit(opened, `/b/${name}`);
  await page.locator('.run a[tabindex="0"]').focus();
  assert.equal(await page.locator('.run a[tabindex="0"]').count(), 1, 'one stop for Tab');
  for (const key of ['ArrowDown', 'ArrowRight']) {
    let before;
    for (let n = 0; n < 400 && before !== (await spot(page)); n += 1) {
      before = await spot(page);
      await page.keyboard.press(key);
    }
  }
  const last = await page.$$eval('.run a', (list) => list.at(-1).dataset.spot);
  assert.equal(await spot(page), last);
  assert.ok(
    await page.evaluate(() => {
      const box = document.activeElement.getBoundingClientRect();
      return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
    }),
    'what is focused is on the screen',
  );
});

for (const [path, row] of [
  ['/pulls', '.matrix [data-row]'],
  ['/matrix', '.dense [data-row]'],
]) {
  test(`${path}: 10,000 rows are at most 2,000 nodes, and each letter of a filter narrows all of them`, { skip }, async (t) => {
    const served = await relay({ change: long }, t);
    const opened = await openPage(browser, served.url);
    const { page } = opened;
    await visit(opened, `${path}?state=all&more=50`);
    await page.waitForSelector(`text=${total.toLocaleString('en-US')} pull requests in all`);
    t.diagnostic(`${path}: ${await nodes(page)} nodes`);
    const ends = await page.evaluate(async () => {
      const seen = [];
      const box = document.querySelector('.frame') ?? document.scrollingElement;
      for (const part of [0.25, 0.5, 0.75, 1, 1]) {
        box.scrollTop = box.scrollHeight * part;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        seen.push(document.querySelectorAll('*').length);
      }
      return seen;
    });
    assert.ok(Math.max(...ends) <= 2000, `${ends} nodes while scrolling`);
    await page.waitForFunction((of) => [...document.querySelectorAll(of)].at(-1)?.textContent.includes('#0'), row);
    await page.evaluate(() => ((document.querySelector('.frame') ?? document.scrollingElement).scrollTop = 0));
    const keystrokes = [];
    for (const letter of '4321') {
      await page.focus('input[type=search]');
      await page.evaluate((rows) => {
        globalThis.drawn = new Promise((done) => {
          const input = document.querySelector('input[type=search]');
          const start = { at: 0 };
          input.addEventListener('input', () => (start.at = performance.now()), { once: true, capture: true });
          new MutationObserver((_, watcher) => {
            watcher.disconnect();
            requestAnimationFrame(() => done(performance.now() - start.at));
          }).observe(document.querySelector(rows).closest('table'), {
            childList: true,
            subtree: true,
            attributes: true,
            characterData: true,
          });
        });
      }, row);
      await page.keyboard.press(letter);
      keystrokes.push(Math.round(await page.evaluate(() => globalThis.drawn)));
    }
    t.diagnostic(`${path}: a keystroke over 10,000 rows took ${keystrokes.join(', ')} ms to be drawn (wanted: 50)`);
    const left = await page.$$eval(row, (list) => list.map((one) => /#(\d+)/.exec(one.textContent)[1]));
    assert.ok(left.includes('4321') && left.length <= 3, `${left}`); // a commit may begin with 4321 too
    assert.deepEqual(opened.faults, []);
  });
}

test('scrolling to the end of the list brings more, and the address says how much', { skip }, async (t) => {
  const served = await relay({ change: long }, t);
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await visit(opened, '/pulls?state=all');
  await page.waitForSelector('text=50 pull requests loaded');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForSelector('text=250 pull requests loaded');
  await page.waitForURL('**/pulls?more=1&state=all');
  const again = await openPage(browser, served.url);
  await visit(again, '/pulls?more=1&state=all');
  await again.page.waitForSelector('text=250 pull requests loaded');
  await again.page.$eval('.more button', (button) => button.click());
  await again.page.waitForURL('**/pulls?more=2&state=all');
  await again.page.waitForSelector('text=450 pull requests loaded');
  for (let n = 0; n < 120; n += 1) {
    await again.page.keyboard.press('j');
    await again.page.evaluate(() => new Promise(requestAnimationFrame)); // nobody presses faster than the page is drawn
  }
  assert.match(await again.page.evaluate(() => document.activeElement.textContent), /#\d+/, 'j walks on where rows come and go');
  const walked = 10_000 - Number(/#(\d+)/.exec(await again.page.evaluate(() => document.activeElement.textContent))[1]);
  assert.ok(walked >= 119, `walked ${walked} rows`);
});

test('the long list is accessible', { skip }, async (t) => {
  const served = await relay({ change: long }, t);
  const opened = await openPage(browser, served.url);
  for (const path of ['/pulls?state=all&more=2', '/matrix?state=all&more=2']) {
    await visit(opened, path);
    await opened.page.waitForSelector('text=450 pull requests loaded');
    assert.deepEqual(await accessibility(opened.page), [], path);
  }
});
