// What people do: by keyboard alone, with links that keep what one saw.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { following, openPage, relay, settled, visit } from './browser.mjs';

const stage = following();
const { skip } = stage;

const focused = (page) => page.evaluate(() => document.activeElement?.textContent ?? '');

test('from the overview to a failed test by keyboard alone', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/');
  await page.keyboard.press('/');
  await page.keyboard.type('4821');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pr/acme/tensor/4821');
  await settled(page);
  assert.match(await page.textContent('.verdict'), /Blocked/);
  await page.keyboard.press('j');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-expanded')), 'true');
  await page.keyboard.press('Enter'); // closes it, and the address says so
  await page.waitForURL('**/pr/acme/tensor/4821?shut=*');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.search === '');
  const link = page.locator('.attempt').first();
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/job/501');
  await settled(page);
  assert.match(await page.textContent('.failed'), /test_out_warning_index_add/);
  await opened.context.close();
});

test('j and k walk the rows, ? shows the keys, Escape closes', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/deliveries');
  await page.keyboard.press('j');
  const first = await focused(page);
  await page.keyboard.press('j');
  assert.notEqual(await focused(page), first);
  await page.keyboard.press('k');
  assert.equal(await focused(page), first);
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open] .keys');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  assert.equal(await focused(page), first);
  await page.keyboard.press('Control+k');
  await page.waitForSelector('dialog[open] input');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  await opened.context.close();
});

test('arrows move between the cells of the grid that are not green', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/b/borealis/tensor-npu');
  const stops = page.locator('.run a[tabindex="0"]');
  assert.equal(await stops.count(), 1);
  await stops.focus();
  const label = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  const start = await label();
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await label(), start);
  const before = await page.evaluate(() => document.activeElement.dataset.spot);
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await page.evaluate(() => document.activeElement.dataset.spot.split(':')[0]), before.split(':')[0]);
  assert.match(await page.textContent('.grid-line'), /#\d+/);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/job/*');
  await opened.context.close();
});

test('every control is in the address, and the address brings it back', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/');
  await page.click('nav[aria-label="Window of the figures"] >> text=30 d');
  await page.waitForURL('**/?window=30d');
  await page.reload();
  await settled(page);
  assert.equal((await page.textContent('.switch [aria-current]')).trim(), '30 d');

  await visit(opened, '/pulls');
  await page.fill('input >> nth=0', 'mira');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pulls?author=mira');
  await page.click('text=failing');
  await page.waitForURL('**/pulls?author=mira&standing=failing');

  await visit(opened, '/pr/acme/tensor/4821');
  await page.selectOption('.line select', { index: 1 });
  await page.waitForURL(/sha=[0-9a-f]{40}/);
  await page.waitForSelector('text=This is an older commit');
  await opened.context.close();
});

test('pages of a list go forward by the cursor and back by the browser', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/deliveries');
  const first = await page.textContent('.rows tbody a');
  await page.click('text=Older');
  await page.waitForURL('**/deliveries?cursor=40');
  await page.waitForFunction((before) => document.querySelector('.rows tbody a')?.textContent !== before, first);
  await page.goBack();
  await page.waitForFunction((before) => document.querySelector('.rows tbody a')?.textContent === before, first);
  await opened.context.close();
});

test('sending again asks for a token, keeps it in memory only and says what it did', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/dead');
  const again = 'button:text-is("Send again")';
  await page.click(`${again} >> nth=0`);
  await page.fill('input[type=password]', 'wrong');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=The token is wrong');
  await page.fill('input[type=password]', 'stand-in-token');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=1 dispatch will be sent again');
  assert.equal(stage.served.redelivered.length, 1);
  await page.click('text=Close');
  await page.waitForFunction(() => document.querySelectorAll('[aria-label="Dispatches given up"] tbody tr').length === 50);
  await page.click(`${again} >> nth=1`); // not asked twice
  await page.waitForSelector('text=1 dispatch will be sent again');
  assert.equal(stage.served.redelivered.length, 2);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie, location.href]));
  assert.ok(!kept.includes('stand-in-token'));
  assert.ok(stage.served.requests.every((line) => !line.includes('stand-in-token')));
  assert.deepEqual(
    opened.faults.filter((fault) => !fault.includes('401')),
    [],
  );
  await opened.context.close();
});

test('a closed pull request is told in the past, and red jobs stand before what passed', { skip }, async (t) => {
  const change = (name, answer) => {
    if (name !== 'pull') return answer;
    const [first, second, ...rest] = answer.backends;
    const passed = Array.from({ length: 12 }, (_, at) => ({ ...rest[1].cells[0], job: `shard ${at}` }));
    const calledOff = { ...second, outcome: 'waiting', state: 'finished', reason: 'superseded before it started' };
    const verdict = { merge: 'blocked', text: `Blocked by ${first.repo}: ${first.repo}` };
    return { ...answer, open: answer.number !== 4817, verdict, backends: [{ ...first, cells: [...passed, ...first.cells] }, calledOff, ...rest] };
  };
  const served = await relay({ change }, t);
  const opened = await openPage(stage.browser, served.url);
  const { page } = opened;
  await visit(opened, '/pr/acme/tensor/4821');
  assert.match(await page.textContent('.verdict'), /Blocked by borealis\/tensor-npuBy today’s list 1 downstream counts for merging: 1 failed\./);
  const backend = page.locator('article.backend').first();
  assert.match(await backend.textContent(), /ops-core.*Whose failure\?.*14 passed.*shard 0/s);
  assert.match(await backend.locator('.backend-name').textContent(), /blocks/);
  assert.ok(!(await page.isVisible('text=shard 0')));
  await page.click('summary >> text=14 passed');
  assert.ok(await page.isVisible('text="shard 0"'));
  assert.match(await page.locator('article.backend').nth(1).textContent(), /superseded/);
  await visit(opened, '/pr/acme/tensor/4817');
  assert.match(await page.textContent('.verdict'), /Closed\. When it was closed the gate was red \(blocked by borealis\/tensor-npu\)/);
  assert.doesNotMatch(await page.locator('article.backend').first().locator('.backend-name').textContent(), /blocks/);
  assert.deepEqual(opened.faults, []);
});

test('an address that is no page says so and suggests what was meant', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  await visit(opened, '/acme/tensor/pull/4821');
  assert.match(await opened.page.textContent('main'), /There is no page at/);
  await opened.page.click('main a >> text="/pr/acme/tensor/4821"');
  await opened.page.waitForURL('**/pr/acme/tensor/4821');
  await visit(opened, '/delivereis');
  await opened.page.keyboard.press('j');
  await opened.page.keyboard.press('Enter');
  await opened.page.waitForURL('**/deliveries');
  await opened.context.close();
});

test('a dispatch that stayed silent does not look like an answer', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  await visit(opened, '/deliveries/4d1e2f06-8b3d-11f0-42ce-fbcb54f504d6');
  const said = await opened.page.$$eval('.backend', (list) => list.map((one) => one.textContent));
  assert.match(said.find((text) => text.includes('silent: no start')), /^!.*silent/);
  assert.match(said[0], /←.*answered 1 failed, 1 passed/);
  assert.equal(await opened.page.locator('.backend-head .glyph.tone-success').count(), 1);
  await opened.context.close();
});

test('what does not exist says so and where to go', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  for (const path of ['/pr/no/body/1', '/deliveries/no-such', '/b/no/body']) {
    await visit(opened, path);
    await opened.page.waitForSelector('text=Not known here');
    await opened.page.waitForSelector('.live-live'); // what comes later is shown at once
  }
  await opened.page.click('text=Go to the overview');
  await opened.page.waitForURL('**/');
  await opened.context.close();
});
