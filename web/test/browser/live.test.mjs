// Pages that stay true while one looks: changes come by themselves, and a relay that was away loses nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibility, launch, openPage, real, relay, settled, unable, visit } from './browser.mjs';

const skip = unable() || (real && 'these need a relay that does as the test says');
let browser;

before(async () => {
  if (!skip) browser = await launch();
});

after(async () => browser?.close());

const pull = { topic: 'pull', upstream: 'acme/tensor', number: 4821, downstream: 'borealis/tensor-npu' };

function told() {
  const state = { text: 'first word' };
  const change = (name, answer) => (name === 'pull' ? { ...answer, verdict: { ...answer.verdict, text: state.text } } : answer);
  return { state, change };
}

test('a change is seen without a reload, and only what it concerns is loaded', { skip }, async (t) => {
  const { state, change } = told();
  const served = await relay({ change }, t);
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await visit(opened, '/pr/acme/tensor/4821');
  await page.waitForSelector('.live-live');
  await page.evaluate(() => (globalThis.same = true));
  served.requests.length = 0;
  served.tell({ ...pull, number: 1 });
  state.text = 'second word';
  for (let n = 0; n < 20; n += 1) served.tell(pull);
  await page.waitForSelector('text=second word');
  assert.equal(await page.evaluate(() => globalThis.same), true);
  const loads = served.requests.filter((line) => line.includes('/pulls/'));
  assert.ok(loads.length >= 1 && loads.length <= 3, `20 changes, ${loads.length} loads`);
});

test('the first answer says from where to listen', { skip }, async (t) => {
  const served = await relay({}, t);
  const opened = await openPage(browser, served.url);
  await visit(opened, '/');
  await opened.page.waitForSelector('.live-live');
  assert.deepEqual(served.streamRequests, ['?from=1000']);
});

test('paused, nothing moves; resumed, it goes on behind the last id', { skip }, async (t) => {
  const { state, change } = told();
  const served = await relay({ change }, t);
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await visit(opened, '/pr/acme/tensor/4821');
  await page.waitForSelector('.live-live');
  state.text = 'second word';
  served.tell(pull);
  await page.waitForSelector('text=second word');
  await page.click('text=Pause');
  await page.waitForSelector('.live-paused');
  state.text = 'third word';
  served.tell(pull);
  assert.match(await page.textContent('.verdict'), /second word/);
  await page.click('text=Resume');
  await page.waitForSelector('text=third word');
  assert.equal(served.streamRequests.at(-1), '?from=1001');
});

test('with the relay dead nothing on the overview looks alive', { skip }, async (t) => {
  const served = await relay({}, t);
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await visit(opened, '/');
  await page.waitForSelector('.live-live');
  const colour = () => page.$eval('.relay .glyph', (glyph) => getComputedStyle(glyph).color);
  const green = await colour();
  const { port } = served;
  await served.stop();
  await page.waitForSelector('[role=alert] >> text=The relay cannot be reached');
  assert.match(await page.title(), /NOT LIVE/);
  assert.notEqual(await colour(), green);
  assert.match(await page.textContent('.relay .verdict'), /Nobody knows how the relay is now; the relay was healthy when it was last heard/);
  const tones = await page.$$eval('main .downstreams [class*=tone-]', (list) => list.map((one) => getComputedStyle(one).color));
  assert.ok(tones.length > 3 && tones.every((tone) => tone !== green), 'nothing in a table is green');
  const age = await page.textContent('.warning-age');
  await page.waitForFunction((before) => document.querySelector('.warning-age').textContent !== before, age);
  await page.evaluate(() => scrollTo(0, 9999));
  assert.ok(await page.isVisible('.warning'));
  assert.deepEqual(await accessibility(page), []);
  await page.click('nav >> text=Help');
  await page.waitForURL('**/help');
  assert.ok(await page.isVisible('.warning'), 'the warning stays on every page');
  await page.goBack();
  await served.start(port);
  await page.waitForSelector('.warning', { state: 'detached' });
  await page.waitForSelector('[role=status] >> text=The relay answers again');
  assert.doesNotMatch(await page.title(), /NOT LIVE/);
  assert.equal(await colour(), green);
});

test('a stream that stays broken while the relay answers is said, and what the relay says is still believed', { skip }, async (t) => {
  const served = await relay({}, t);
  served.mute = true;
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await visit(opened, '/');
  await page.waitForSelector('.warning-deaf >> text=Changes do not arrive by themselves');
  assert.match(await page.title(), /NOT LIVE/);
  assert.match(await page.textContent('.relay .verdict'), /The relay is healthy/);
  assert.deepEqual(await accessibility(page), []);
  served.mute = false;
  await page.waitForSelector('.live-live');
  await page.waitForSelector('.warning', { state: 'detached' });
  assert.doesNotMatch(await page.title(), /NOT LIVE/);
});

test('a relay that goes away leaves the last data under a warning, and nothing is missed when it is back', { skip }, async (t) => {
  const { state, change } = told();
  const served = await relay({ change }, t);
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await visit(opened, '/pr/acme/tensor/4821');
  await page.waitForSelector('.live-live');
  const { port } = served;
  await served.stop();
  await page.waitForSelector('.live-away');
  state.text = 'while it was away';
  served.tell(pull);
  assert.match(await page.textContent('.verdict'), /first word/);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await served.start(port);
  await page.waitForSelector('text=while it was away');
  await page.waitForSelector('.live-live');
  assert.equal(served.streamRequests.at(-1), '?from=1000');
});

test('a store that cannot be read keeps the page, says so, and the banner goes by itself', { skip }, async (t) => {
  const served = await relay({}, t);
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await visit(opened, '/');
  await page.waitForSelector('.live-live');
  served.unwell = true;
  served.tell({ topic: 'relay', upstream: '', number: null, downstream: '' });
  await page.waitForSelector('.warning >> text=The store cannot be read now');
  assert.ok(await page.isVisible('text=borealis/tensor-npu'));
  served.unwell = false;
  await page.waitForSelector('.warning', { state: 'detached' });
});

test('a page that is opened while nothing answers says so and comes alive by itself', { skip }, async (t) => {
  const served = await relay({}, t);
  served.unwell = true;
  const opened = await openPage(browser, served.url);
  await opened.page.goto(`${served.url}/pulls`);
  await opened.page.waitForSelector('text=The store cannot be read now');
  served.unwell = false;
  await opened.page.waitForSelector('.matrix');
});

test('an hour of nothing, with a store that fails in it, breaks no page', { skip }, async (t) => {
  const served = await relay({}, t);
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await page.clock.install();
  await visit(opened, '/');
  await page.waitForSelector('.live-live');
  await page.evaluate(() => (globalThis.same = true));
  for (let minutes = 0; minutes < 60; minutes += 10) {
    served.unwell = minutes === 30;
    await page.clock.runFor(10 * 60_000);
    if (served.unwell) await page.waitForSelector('.warning >> text=The store cannot be read now');
    assert.ok(await page.isVisible('text=borealis/tensor-npu'), `after ${minutes + 10} minutes`);
  }
  served.unwell = false;
  for (let tries = 0; tries < 50 && (await page.locator('.warning').count()) > 0; tries += 1) await page.clock.runFor(5_000);
  assert.equal(await page.locator('.warning').count(), 0);
  assert.equal(await page.evaluate(() => globalThis.same), true, 'the page was never loaded anew');
  assert.deepEqual(opened.faults.filter((fault) => !/503/.test(fault)), []);
});

test('resync loads anew', { skip }, async (t) => {
  const { state, change } = told();
  const served = await relay({ change }, t);
  const opened = await openPage(browser, served.url);
  await visit(opened, '/pr/acme/tensor/4821');
  await opened.page.waitForSelector('.live-live');
  state.text = 'after resync';
  served.resync();
  await opened.page.waitForSelector('text=after resync');
  await settled(opened.page);
});
