// What goes over time: trends, nightlies, one job, suites and benchmarks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { following, openPage, relay, settled, visit } from './browser.mjs';

const stage = following();
const { skip } = stage;

test('trends say first who lost most, and lead to that downstream', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/trends');
  assert.match(await page.textContent('.answer'), /kestrel\/tensor-fpga lost most: −8\.2 points/);
  assert.match(await page.textContent('main'), /Queue and run times are told for one downstream at a time/);
  await page.click('table[aria-label="Downstreams by change"] tbody a');
  await page.waitForURL('**/trends?downstream=kestrel%2Ftensor-fpga');
  await settled(page);
  await page.waitForFunction(() => document.querySelectorAll('.chart canvas').length === 5);
  await opened.context.close();
});

test('a click on a day shows its row, and the table has every day; days without runs are gaps', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/trends?window=14d');
  const chart = page.locator('.chart.picks .u-over').first();
  await chart.waitFor();
  const box = await chart.boundingBox();
  await chart.click({ position: { x: box.width - 30, y: 40 } });
  await page.waitForURL(/day=\d{4}-\d\d-\d\d/);
  assert.equal(await page.locator('table[aria-label="Days"] tbody tr').count(), 1);
  await page.click('text=close');
  await page.waitForFunction(() => !location.search.includes('day='));
  await page.click('nav[aria-label="Days as"] >> text=table');
  await page.waitForSelector('table[aria-label="Days"]');
  assert.equal(await page.locator('table[aria-label="Days"] tbody tr').count(), 13, '14 days, of which one has nothing');
  await opened.context.close();
});

test('nightlies say first what went wrong last night; arrows walk the days, Enter opens the job', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/nightly');
  assert.match(await page.textContent('.answer'), /On \d{4}-\d\d-\d\d: kestrel\/tensor-fpga/);
  assert.equal(await page.locator('.calendar [tabindex="0"]').count(), 1, 'one stop for Tab');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowRight');
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^kestrel\/tensor-fpga, \d{4}-\d\d-\d\d: /);
  await page.keyboard.press('ArrowDown');
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^helix-ai\/tensor-hx, /);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/job/*');
  await visit(opened, '/nightly?weeks=2');
  assert.match(await page.textContent('nav[aria-label="Weeks"] [aria-current]'), /2 weeks/);
  await opened.context.close();
});

test('a job has its history: from the downstream, with what is flaky, and page by page', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/b/helix-ai/tensor-hx');
  await page.click('table[aria-label="Worst jobs"] tbody a');
  await page.waitForURL('**/b/helix-ai/tensor-hx/job?job=ops-core&workflow=tensor-ci');
  await settled(page);
  assert.match(await page.textContent('.answer'), /It passes [\d.]+ % of \d+ in 30 days to today, UTC; \d+ commits? w/);
  assert.equal(await page.locator('.strip a').count(), 50);
  await page.click('nav[aria-label="Rows"] >> text=flaky');
  await page.waitForURL(/show=flaky/);
  for (const text of await page.locator('table[aria-label="Commits"] tbody tr').allTextContents()) assert.match(text, /flaky/);
  await page.click('text=Older');
  await page.waitForURL(/cursor=50/);
  await visit(opened, '/b/helix-ai/tensor-hx/job');
  assert.match(await page.textContent('main'), /Which job\?/);
  await opened.context.close();
});

test('suites by devices count outcomes first, and a cell opens its worst job', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/suites');
  assert.match(await page.textContent('.answer'), /\d+ failed.*of 35 suites on devices, at each device's newest nightly run/);
  assert.match(await page.textContent('.suites'), /no such run/);
  await page.locator('.suites .glyph.tone-failure').first().click();
  await page.waitForURL('**/job/*');
  await opened.context.close();
});

test('benchmarks ask whose, say what is worse by which rule, and show how it went', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/benchmarks');
  assert.match(await page.textContent('.answer'), /Whose benchmarks\?/);
  await page.click('.choices a');
  await page.waitForURL('**/benchmarks?downstream=borealis%2Ftensor-npu');
  await settled(page);
  assert.match(await page.textContent('.answer'), /2 benchmarks are worse than usual, first resnet50 batch 32 \(−19\.0 %\)/);
  assert.match(await page.textContent('.rule'), /more than 10 % and by more than three times the median distance/);
  await page.click('text=gpt2-medium step');
  await page.waitForURL('**/benchmarks?downstream=borealis%2Ftensor-npu&name=gpt2-medium+step&suite=training');
  await page.waitForSelector('.chart canvas');
  assert.match(await page.textContent('main'), /60 values in ms, less is better; 1 value marked/);
  await page.click('nav[aria-label="Values as"] >> text=table');
  await page.waitForSelector('table[aria-label="Values"] >> text=worse');
  await opened.context.close();
});

test('nothing over time is told, with what it means', { skip }, async (t) => {
  const none = {
    trends: { days: [], downstreams: [] },
    nightly: { lines: [] },
    suites: { rows: [], columns: [] },
    benchmarks: { rows: [], suites: [] },
    jobHistory: { rows: [], days: [], next: null },
  };
  const nobody = await relay({ change: (name, answer) => ({ ...answer, ...none[name] }) }, t);
  const opened = await openPage(stage.browser, nobody.url);
  const words = {
    '/trends': 'Nothing ended in this window',
    '/nightly': 'No nightly runs here',
    '/suites': 'No nightly run has been reported',
    '/benchmarks?downstream=borealis%2Ftensor-npu': 'No benchmark has been reported in this window',
    '/b/borealis/tensor-npu/job?workflow=ci': 'It ran for no pull request yet',
  };
  for (const [path, text] of Object.entries(words)) {
    await visit(opened, path);
    assert.ok(await opened.page.isVisible(`text=${text}`), path);
  }
  assert.deepEqual(opened.faults, []);
});

test('a store that cannot be read keeps the chart and says so', { skip }, async (t) => {
  const ill = await relay({}, t);
  const opened = await openPage(stage.browser, ill.url);
  const { page } = opened;
  await visit(opened, '/trends');
  await page.waitForSelector('.live-live');
  await page.waitForSelector('.chart canvas');
  ill.unwell = true;
  ill.tell({ topic: 'downstream', upstream: 'acme/tensor', number: null, downstream: 'borealis/tensor-npu' });
  await page.waitForSelector('text=The store cannot be read now');
  assert.ok(await page.isVisible('.chart canvas'));
});
