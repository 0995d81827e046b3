// Strings from elsewhere are text, whatever they look like; and sizes from elsewhere do not break the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as examples from '../stand_in/examples.mjs';
import { evil, spoil } from '../stand_in/hostile.mjs';
import { everyPage, launch, openPage, real, relay, sideways, unable, violations, visit } from './browser.mjs';

const skip = unable() || (real && 'these need a relay that tells what the test wants');
let browser;

before(async () => {
  if (!skip) browser = await launch();
});

after(async () => browser?.close());

test('hostile strings are inert on every page', { skip }, async (t) => {
  const served = await relay({ change: (name, answer) => (name === 'openapi' ? answer : spoil(answer)) }, t);
  const pages = await everyPage(served.url);
  for (const width of [1366, 390]) {
    const opened = await openPage(browser, served.url, { width });
    for (const [name, path] of Object.entries(pages)) {
      await visit(opened, path);
      const { page } = opened;
      assert.equal(await page.locator('main img, main script').count(), 0, `${name}: markup from a string`);
      const links = await page.$$eval('a[href]', (list) => list.map((link) => link.href));
      assert.deepEqual(
        links.filter((href) => !href.startsWith(served.url) && !/^https?:/.test(href)),
        [],
        `${name}: links`,
      );
      assert.deepEqual(
        links.filter((href) => href.includes('evil.example')),
        [],
        `${name}: pages elsewhere`,
      );
      assert.ok((await sideways(page)) <= 0, `${name} scrolls sideways by ${await sideways(page)} px at ${width}`);
      assert.deepEqual(await violations(page), [], `${name}: policy`);
      assert.deepEqual(opened.faults, [], `${name}: faults`);
    }
    await opened.context.close();
  }
});

test('the hostile text itself is shown as it was told', { skip }, async (t) => {
  const served = await relay({ change: (name, answer) => (name === 'openapi' ? answer : spoil(answer)) }, t);
  const opened = await openPage(browser, served.url);
  await visit(opened, '/pr/acme/tensor/4821');
  assert.ok((await opened.page.textContent('main')).includes(evil));
});

test('a message of a megabyte is one scrolling box, and the page goes on', { skip }, async (t) => {
  const huge = `${evil}${'x'.repeat(500_000)}\n${'word '.repeat(100_000)}`;
  const change = (name, answer) =>
    name === 'job' ? { ...answer, failed_tests: answer.failed_tests.map((one) => ({ ...one, message: huge })) } : answer;
  const served = await relay({ change }, t);
  const { job } = await everyPage(served.url);
  for (const width of [1366, 390]) {
    const opened = await openPage(browser, served.url, { width });
    await visit(opened, job);
    const box = opened.page.locator('.failed pre').first();
    assert.equal((await box.textContent()).length, huge.length);
    assert.ok((await box.boundingBox()).height <= 400, 'it scrolls inside itself');
    assert.equal(await sideways(opened.page), 0);
    assert.ok(await opened.page.isVisible('h2:has-text("Facts")'));
    assert.deepEqual(opened.faults, []);
    await opened.context.close();
  }
});

test('links that leave tell the other side nothing', { skip }, async (t) => {
  const served = await relay({}, t);
  const opened = await openPage(browser, served.url);
  await visit(opened, '/pr/acme/tensor/4821');
  const outside = await opened.page.$$eval('a[target]', (list) => list.map((link) => link.rel));
  assert.ok(outside.length > 3);
  assert.ok(outside.every((rel) => rel === 'noopener noreferrer'));
});

test('clocks that cannot be right are marked and hide no row', { skip }, async (t) => {
  const change = (name, answer) =>
    name === 'pulls'
      ? {
          ...answer,
          rows: answer.rows.map((row, at) => ({
            ...row,
            updated_at: at === 0 ? '1970-01-01T00:00:00.000Z' : at === 1 ? '2099-01-01T00:00:00.000Z' : row.updated_at,
          })),
        }
      : answer;
  const served = await relay({ change }, t);
  const opened = await openPage(browser, served.url);
  await visit(opened, '/pulls');
  assert.equal(await opened.page.locator('text=clock?').count(), 2);
});

test('an empty relay explains itself on every page', { skip }, async (t) => {
  const empty = (name, answer) => {
    if (name === 'overview') return { ...answer, attention: [], downstreams: [], upstreams: [] };
    if (name === 'pulls' || name === 'deliveries') return { ...answer, rows: [], next: null };
    if (name === 'refused') return examples.refused({ now: Date.now(), empty: true });
    if (name === 'audit' || name === 'notes') return { ...answer, rows: [], next: null };
    if (name === 'allowlists') return { ...answer, upstreams: [] };
    return name === 'dead' ? examples.dead({ now: Date.now(), empty: true }) : answer;
  };
  const served = await relay({ change: empty }, t);
  const opened = await openPage(browser, served.url);
  const words = {
    '/': 'No downstream is listed yet',
    '/pulls?state=all': 'No pull request yet',
    '/deliveries': 'No webhook has come yet',
    '/dead': 'Nothing was given up',
    '/refused': 'No report was refused in 24 hours',
    '/audit': 'Nobody did anything by hand yet',
    '/allowlist': 'No upstream is configured',
  };
  for (const [path, text] of Object.entries(words)) {
    await visit(opened, path);
    assert.ok(await opened.page.isVisible(`text=${text}`), path);
  }
  assert.deepEqual(opened.faults, []);
});
