// What failures have in common, and whose they are: from a pull request to its cluster, its test, and back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evil, spoil } from '../stand_in/hostile.mjs';
import { following, openPage, relay, settled, visit } from './browser.mjs';

const stage = following();
const { skip } = stage;

test('a failing cell says whose failure it is, with its evidence and how it stands against trunk', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/pr/acme/tensor/4821');
  assert.match(await page.textContent('.whose-short'), /the pull request ops-core at borealis\/tensor-npu, high confidence/);
  const line = page.locator('.whose summary', { hasText: 'ops-core' });
  assert.match(await line.textContent(), /the pull request, high confidence new/);
  await line.focus();
  await page.keyboard.press('Enter');
  const evidence = await page.textContent('.whose details[open]');
  assert.match(evidence, /6 of 10 for.*The same failure on this commit at 2 downstreams/);
  assert.match(evidence, /What would change this: The same failure on trunk would make it trunk/);
  assert.match(evidence, /It decides no gate/);
  assert.match(evidence, /On trunk: success by nightly/);
  await page.click('.evidence a');
  await page.waitForURL('**/clusters/00c0ffee00c0ffee');
  await opened.context.close();
});

test('a failed test leads to its cluster and its history, and says where else it was seen', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/pr/acme/tensor/4821');
  assert.match(await page.textContent('.failed'), /also at 1 other on this commit/);
  await page.click('.failed >> text=its cluster');
  await page.waitForURL('**/clusters/00c0ffee00c0ffee');
  await settled(page);
  assert.match(await page.textContent('.verdict'), /The pull request\. 9 failures at 2 downstreams in 7 days to today, UTC, not on trunk/);
  await page.waitForSelector('.chart canvas');
  await page.click('nav[aria-label="Days as"] >> text=table');
  await page.waitForURL('**/clusters/00c0ffee00c0ffee?days=table');
  await page.waitForSelector('table[aria-label="Failures by day"]');
  await page.click('text=history of this test');
  await page.waitForURL('**/tests?name=*');
  await settled(page);
  assert.match(await page.textContent('.answer'), /It failed 9 times at 2 downstreams/);
  await page.click('.line code');
  await page.waitForURL('**/clusters/00c0ffee00c0ffee');
  await opened.context.close();
});

test('clusters say first what is widest, and are narrowed by downstream', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/clusters');
  assert.match(await page.textContent('.answer'), /The widest is at 3 downstreams and 17 pull requests/);
  await page.selectOption('.field select', 'tidal/tensor-wasm');
  await page.waitForURL('**/clusters?downstream=tidal%2Ftensor-wasm');
  await page.waitForSelector('text=1 cluster in all');
  assert.match(await page.textContent('.clusters tbody'), /No space left on device/);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/clusters/e0e0e0e0aabbccdd');
  await opened.context.close();
});

test('flaky jobs lead to the history of the job', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/flaky');
  assert.match(await page.textContent('.answer'), /distributed of kestrel\/tensor-fpga is surest to be flaky: 14\.8 %/);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/b/kestrel/tensor-fpga/job?job=distributed&workflow=tensor-ci');
  await settled(page);
  assert.match(await page.textContent('.answer'), /It passes/);
  await opened.context.close();
});

test('nothing to tell is told, with what it means', { skip }, async (t) => {
  const none = { rows: [], next: null };
  const nobody = await relay({ change: (name, answer) => (['clusters', 'flaky'].includes(name) ? { ...answer, ...none } : answer) }, t);
  const opened = await openPage(stage.browser, nobody.url);
  const words = {
    '/clusters': 'No failed test in this window',
    '/flaky': 'No job was flaky in this window',
    '/tests': 'Which test?',
    '/tests?name=never': 'This test was never seen to fail',
    '/clusters/0000000000000000': 'Not known here',
  };
  for (const [path, text] of Object.entries(words)) {
    await opened.page.goto(nobody.url + path);
    await opened.page.waitForSelector(`text=${text}`);
  }
  await opened.context.close();
});

test('what downstreams wrote about failures stays text', { skip }, async (t) => {
  const hostile = await relay({ change: (name, answer) => (name === 'openapi' ? answer : spoil(answer)) }, t);
  const opened = await openPage(stage.browser, hostile.url);
  const { page } = opened;
  for (const path of ['/clusters', '/clusters/00c0ffee00c0ffee', '/flaky', '/pr/acme/tensor/4821']) {
    await visit(opened, path);
    await page.$$eval('details', (list) => list.forEach((one) => (one.open = true)));
    assert.ok((await page.textContent('main')).includes(evil), path);
    assert.equal(await page.locator('main img, main script').count(), 0, path);
    assert.deepEqual(await page.$$eval('a[href^="javascript:"]', (list) => list.map((link) => link.outerHTML)), [], path);
  }
  assert.deepEqual(opened.faults, []);
});
