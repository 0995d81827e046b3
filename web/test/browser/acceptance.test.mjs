// What was promised of all pages at once, by its number in the list of acceptance. 16 is pages.test.mjs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyPage, following, openPage, settled, visit } from './browser.mjs';

const stage = following();
const { skip } = stage;

// Every control of a page: switches by their label, fields by their words.
function controls(page) {
  return page.evaluate(() => [
    ...[...document.querySelectorAll('main .switch:not(.tabs)')].map((one) => ({ kind: 'switch', label: one.getAttribute('aria-label') })),
    ...[...document.querySelectorAll('main .field')].map((one) => ({
      kind: one.querySelector('select') ? 'select' : 'input',
      label: one.querySelector('span').textContent,
    })),
  ]);
}

const shows = (page, { kind, label }) =>
  page.evaluate(
    ([what, name]) => {
      if (what === 'switch') return document.querySelector(`main .switch[aria-label="${name}"] [aria-current]`)?.textContent;
      const field = [...document.querySelectorAll('main .field')].find((one) => one.querySelector('span').textContent === name);
      return field?.querySelector('input, select').value;
    },
    [kind, label],
  );

// Puts a control somewhere else; false when there is nowhere else.
async function turn(page, { kind, label }) {
  if (kind === 'switch') {
    const others = page.locator(`main .switch[aria-label="${label}"] a:not([aria-current])`);
    if ((await others.count()) === 0) return false;
    await others.last().click();
    return true;
  }
  const field = page.locator('main .field', { has: page.locator(`span:text-is("${label}")`) }).first();
  if (kind === 'select') {
    const select = field.locator('select');
    const now = await select.inputValue();
    const other = (await select.locator('option').evaluateAll((list) => list.map(({ value }) => value))).find((value) => value !== now);
    if (other === undefined) return false;
    await select.selectOption(other);
    return true;
  }
  await field.locator('input').fill('48');
  await field.locator('input').press('Enter');
  return true;
}

test('acceptance 14: every control of every page round-trips through the address', { skip }, async (t) => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  let turned = 0;
  for (const [name, path] of Object.entries(await everyPage(stage.served.url))) {
    await visit(opened, path);
    for (const control of await controls(page)) {
      const where = `${name}: ${control.label}`;
      await visit(opened, path);
      const before = { shown: await shows(page, control), address: page.url() };
      if (!(await turn(page, control))) continue;
      await page.waitForFunction((was) => location.href !== was, before.address);
      await settled(page);
      const after = { shown: await shows(page, control), address: page.url() };
      assert.notEqual(after.shown, before.shown, where);
      await page.goto('about:blank');
      await page.goto(after.address);
      await settled(page);
      assert.equal(await shows(page, control), after.shown, `${where}: the address brings it back`);
      assert.equal(page.url(), after.address, where);
      turned += 1;
    }
  }
  t.diagnostic(`${turned} controls`);
  assert.ok(turned >= 15, `${turned} controls`);
  await opened.context.close();
});

test('acceptance 15: the whole of triage by keyboard alone', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  const at = (name) => page.evaluate((of) => document.activeElement?.getAttribute(of), name);
  // Who needs attention? The worst stands first, and Enter leads to it.
  await visit(opened, '/');
  for (let n = 0; n < 8 && !(await at('href'))?.startsWith('/b/'); n += 1) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/b/*/*');
  // How does it stand elsewhere? The matrix, by its key.
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.waitForURL('**/matrix');
  await settled(page);
  await page.keyboard.press('j');
  assert.equal(await at('aria-expanded'), 'false');
  await page.keyboard.press('Enter'); // the jobs, in place
  await page.waitForSelector('.dense-jobs li');
  await page.waitForURL('**/matrix?open=*');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.dense-jobs', { state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.match(await at('aria-label'), /#4821 at borealis\/tensor-npu: failed/);
  await page.keyboard.press('ArrowDown');
  assert.match(await at('aria-label'), /#4820 at /);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  // Which pull request, whose failure, which test?
  await page.waitForURL('**/pr/acme/tensor/4821#borealis/tensor-npu');
  await settled(page);
  await page.keyboard.press('j');
  assert.match(await at('aria-label'), /borealis\/tensor-npu: failed/);
  for (let n = 0; n < 40 && !(await at('href'))?.startsWith('/job/'); n += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/job/*');
  await settled(page);
  assert.match(await page.textContent('.failed'), /test_out_warning_index_add/);
  // And back to where one was.
  await page.goBack();
  await page.waitForURL('**/pr/acme/tensor/4821#borealis/tensor-npu');
  await settled(page);
  // Is it the same elsewhere? The clusters, by their key, and the widest of them.
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.waitForURL('**/clusters');
  await settled(page);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/clusters/1b5e77a9d0034c21');
  await settled(page);
  assert.match(await page.textContent('.verdict'), /Upstream trunk/);
  assert.deepEqual(opened.faults, []);
  await opened.context.close();
});
