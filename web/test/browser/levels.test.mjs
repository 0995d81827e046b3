// The ladder: who stands where, what each level asks for, and that every page says the same of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as examples from '../stand_in/examples.mjs';
import { following, openPage, relay, settled, visit } from './browser.mjs';

const stage = following();
const { skip } = stage;
const lowered = 'openrisc/tensor-riscv';

const plain = (text) => text.replace(/\s+/g, ' ').trim();

// What the ledger says a downstream is at: the newest line that moved it, as from the listed level.
async function fromLedger(base, repo) {
  const { rows } = await (await fetch(`${base}/api/v1/levels/transitions?downstream=${encodeURIComponent(repo)}`)).json();
  const moved = rows.find(({ move }) => ['demoted', 'returned', 'relisted'].includes(move));
  if (!moved) return null;
  return moved.move === 'demoted' ? `${moved.from_level} → ${moved.to_level} for now` : moved.to_level;
}

// The badge of a row, or of the heading above it where all rows below stand the same.
const badgeIn = (page, table, repo) =>
  page.evaluate(
    ([name, of]) => {
      const rows = [...document.querySelectorAll(`main table.${name} tbody tr`)];
      const row = rows.find((one) => one.querySelector('th a')?.textContent === of);
      const own = row.querySelector('th .lowered') ?? row.querySelector('th .level');
      return (own ?? row.closest('section').querySelector('h2 .level')).textContent;
    },
    [table, repo],
  );

test('acceptance 7: the badge of a level says on every page what the ledger says', { skip }, async (t) => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  const { downstreams } = await (await fetch(`${stage.served.url}/api/v1/overview`)).json();
  let compared = 0;
  for (const { repo, level } of downstreams) {
    const said = (await fromLedger(stage.served.url, repo)) ?? level;
    await visit(opened, '/');
    assert.equal(plain(await badgeIn(page, 'downstreams', repo)), said, `overview: ${repo}`);
    await visit(opened, '/levels');
    assert.equal(plain(await badgeIn(page, 'ladder', repo)), said, `levels: ${repo}`);
    for (const path of [`/b/${repo}`, `/b/${repo}/level`]) {
      await visit(opened, path);
      const badge = page.locator('main .line, main .verdict').locator('.lowered, .level').first();
      assert.equal(plain(await badge.textContent()), said, path);
    }
    compared += 4;
  }
  t.diagnostic(`${compared} badges of ${downstreams.length} downstreams`);
  assert.equal(await fromLedger(stage.served.url, lowered), 'L3 → L2 for now');
  // And wherever else a level is told of the one that is lowered.
  for (const path of ['/pr/acme/tensor/4821', '/trends', '/nightly', '/suites', '/allowlist']) {
    await visit(opened, path);
    await page.waitForSelector('main .lowered');
    assert.deepEqual([...new Set((await page.locator('main .lowered').allTextContents()).map(plain))], ['L3 → L2 for now'], path);
  }
  for (const path of ['/pulls', '/matrix']) {
    await visit(opened, path);
    assert.deepEqual((await page.locator('main .lowered-to').allTextContents()).map(plain), ['→L2 for now'], path);
  }
  await opened.context.close();
});

test('a relay that tells of no effective level shows the listed one, and no card', { skip }, async (t) => {
  const without = (answer) => JSON.parse(JSON.stringify(answer, (key, value) => (key === 'effective_level' ? undefined : value)));
  const served = await relay({ change: (_name, answer) => without(answer) }, t);
  const opened = await openPage(stage.browser, served.url);
  await visit(opened, `/b/${lowered}`);
  assert.equal(plain(await opened.page.locator('main .line .level').first().textContent()), 'L3');
  assert.equal(await opened.page.locator('.readiness').count(), 0);
  assert.ok(!served.requests.some((request) => request.includes('/level')));
  assert.deepEqual(opened.faults, []);
});

test('acceptance 9: a run opens at its own provider, whose host is named', { skip }, async (t) => {
  const pages = {
    'buildkite.com': 'https://buildkite.com/tensor/ci/builds/77#0197-aa',
    'gitlab.example.org': 'https://gitlab.example.org/lumen/tensor/-/jobs/9000501',
    'jenkins.example.org:8443': 'https://jenkins.example.org:8443/job/tensor%20ci/12/console',
    'ci.example.net': 'http://ci.example.net/run?id=5&tab=log',
  };
  let url = '';
  const change = (name, answer) => {
    if (name === 'job') return { ...answer, job: { ...answer.job, url } };
    if (name !== 'pull') return answer;
    const [first, ...rest] = answer.backends;
    const cells = first.cells.map((cell) => ({ ...cell, attempts: cell.attempts.map((attempt) => ({ ...attempt, url })) }));
    return { ...answer, backends: [{ ...first, cells }, ...rest] };
  };
  const served = await relay({ change }, t);
  const opened = await openPage(stage.browser, served.url);
  const { page } = opened;
  for (const [host, address] of Object.entries(pages)) {
    url = address;
    await visit(opened, '/job/501');
    const link = page.locator('main a.out');
    assert.equal(await link.getAttribute('href'), address);
    assert.match(plain(await link.textContent()), new RegExp(`^its run at ${host.replaceAll('.', '\\.')}`));
    await visit(opened, '/pr/acme/tensor/4821');
    const cell = page.locator('main td.log a').first();
    assert.equal(await cell.getAttribute('href'), address);
    assert.ok(plain(await cell.textContent()).startsWith(host), host);
  }
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'ftp://ci.example.net/', 'nonsense', '']) {
    url = bad;
    await visit(opened, '/job/501');
    assert.equal(await page.locator('main a.out').count(), 0, bad);
    await visit(opened, '/pr/acme/tensor/4821');
    assert.equal(await page.locator('.backend td.log').first().locator('a').count(), 0, bad);
  }
});

test('acceptance 11: a silent downstream that decides is told as unknown, with the rule of the gate', { skip }, async (t) => {
  const rule = 'Its part turns neutral when it has not started 30 min after the event.';
  const unknown = { blocking_unknown: true, gate_rule: rule };
  const change = (name, answer) => {
    if (name === 'pull') {
      const [first, ...rest] = answer.backends;
      return { ...answer, backends: [{ ...first, ...unknown, outcome: 'silent', reason: '', cells: [], failed_tests: [] }, ...rest] };
    }
    if (name === 'overview')
      return { ...answer, downstreams: answer.downstreams.map((one) => (one.gate === 'counted' ? { ...one, ...unknown } : one)) };
    return name === 'downstream' && answer.downstream.gate === 'counted' ? { ...answer, downstream: { ...answer.downstream, ...unknown } } : answer;
  };
  const served = await relay({ change }, t);
  const opened = await openPage(stage.browser, served.url);
  const { page } = opened;
  await visit(opened, '/pr/acme/tensor/4821');
  const backend = plain(await page.locator('article.backend').first().textContent());
  assert.match(backend, /borealis\/tensor-npu.*blocking: unknown/);
  assert.ok(backend.includes(`The gate’s rule: ${rule}`));
  await visit(opened, '/');
  const row = page.locator('table.downstreams tr', { hasText: 'borealis/tensor-npu' });
  assert.match(plain(await row.textContent()), /counts ?blocking: unknown/);
  assert.ok(plain(await page.locator('main').textContent()).includes(rule));
  await visit(opened, '/b/borealis/tensor-npu');
  assert.match(plain(await page.locator('.banner').first().textContent()), new RegExp(`^Blocking: unknown\\..*${rule}`));
  assert.deepEqual(opened.faults, []);
});

test('acceptance 19: readiness does not depend on the range that the page shows', { skip }, async (t) => {
  const served = await relay({}, t);
  const opened = await openPage(stage.browser, served.url);
  const { page } = opened;
  const seen = new Map();
  for (const window of ['1d', '7d', '14d', '30d', '90d']) {
    await visit(opened, `/b/meridian/tensor-vulkan?window=${window}`);
    await page.waitForSelector('.readiness .line');
    assert.equal(await page.textContent('nav[aria-label="Window of the figures"] [aria-current]'), window.replace('d', ' d'));
    seen.set(window, plain(await page.textContent('.readiness')));
  }
  assert.equal(new Set(seen.values()).size, 1, JSON.stringify([...seen]));
  assert.match(seen.get('1d'), /9 of 9 criteria of L3 met.*ready for L3.*L2 → L3 proposed/);
  const asked = served.requests.filter((request) => request.includes('/level'));
  assert.ok(asked.length >= 5);
  assert.deepEqual([...new Set(asked)], ['GET /api/v1/downstreams/meridian/tensor-vulkan/level']);
});

test('levels say first what is lowered and what is proposed, and lead to every criterion', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/');
  await page.keyboard.press('g');
  await page.keyboard.press('v');
  await page.waitForURL('**/levels');
  await settled(page);
  assert.match(plain(await page.textContent('.answer')), /^1 downstream lowered for now, 1 watched, 1 change of the list proposed\. Next: tidal\/tensor-wasm, L3 in/);
  assert.match(plain(await page.textContent('.notable')), /openrisc\/tensor-riscv.*L3 → L2 for now.*88\.3 %.*returns after 3 clean evaluations in a row, 0 so far/);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/b/${lowered}/level`);
  await settled(page);
  const keeps = page.locator('table[aria-label="What keeps it at L3"]');
  assert.match(plain(await keeps.textContent()), /≥ 90 %.*over 7 d.*88\.0 %.*n 196.*missed.*9 failures fewer in 7 days/);
  assert.match(await keeps.locator('svg.spark').first().getAttribute('aria-label'), /30 evaluations, from .* to 88\.0 %; asked for: ≥ 90 %/);
  assert.match(plain(await page.textContent('main')), /baton levels bundle openrisc\/tensor-riscv --out DIR/);
  assert.match(plain(await page.textContent('table.excluded')), /upstream’s trunk.*where 4 of 6 others/);
  // The lines have a table as their twin, and the address says which is shown.
  await page.click('nav[aria-label="Trends as"] >> text=trend table');
  await page.waitForURL('**/level?trend=table');
  assert.equal(await page.locator('table[aria-label="The last evaluations"] >> nth=0 >> tbody tr').count(), 30);
  await page.click('text=every move of it');
  await page.waitForURL(`**/levels?downstream=${encodeURIComponent(lowered)}`);
  await settled(page);
  const names = await page.locator('table.moves th[scope=row] a').allTextContents();
  assert.deepEqual([...new Set(names)], [lowered]);
  assert.deepEqual(opened.faults, []);
  await opened.context.close();
});

test('the ledger comes in pages, and a line opens to its figures', { skip }, async () => {
  const opened = await openPage(stage.browser, stage.served.url);
  const { page } = opened;
  await visit(opened, '/levels');
  assert.equal(await page.locator('table.moves tbody tr').count(), 20);
  await page.locator('table.moves tr', { hasText: 'lowered for now' }).first().locator('summary').click();
  assert.match(plain(await page.locator('table.moves details[open]').textContent()), /keep\.pass pass rate after exclusions over 7 d: 88\.0 %, n 196, asked for ≥ 90 %.*SHA-256 [0-9a-f]{64}/);
  await page.click('.pager >> text=Older');
  await page.waitForURL('**/levels?cursor=*');
  await settled(page);
  assert.match(plain(await page.locator('table.moves summary').first().textContent()), /^line 380,/);
  const csv = await page.locator('section', { has: page.locator('table.moves') }).locator('.twins a').first().getAttribute('href');
  assert.equal(csv, '/api/v1/levels/transitions.csv');
  await opened.context.close();
});

test('a frozen ladder says so above everything, and an empty one what it means', { skip }, async (t) => {
  let story = 'frozen';
  const why = 'The relay itself was unwell: 7.1 % of the day’s dispatches could not be sent.';
  const change = (name, answer) => {
    if (story === 'frozen' && name === 'levels') return { ...answer, upstreams: answer.upstreams.map((one) => ({ ...one, frozen: why })) };
    if (story === 'frozen' && name === 'level') return { ...answer, evaluation: { ...answer.evaluation, frozen: why } };
    if (story === 'calm' && name === 'levels')
      return { ...answer, rows: answer.rows.map((row) => ({ ...row, effective_level: row.level, state: 'ok', proposal: null, earliest: null })) };
    if (story === 'empty' && name === 'levels') return { ...answer, rows: [] };
    if (story === 'empty' && name === 'levelTransitions') return { ...answer, rows: [], next: null };
    if (story === 'new' && name === 'level')
      return { ...answer, next: [], demotion: [], rates: [], exclusions: null, history: [], standing: { ...answer.standing, as_of: null, since: null, state: 'ok', reason: '' } };
    return answer;
  };
  const served = await relay({ change }, t);
  const opened = await openPage(stage.browser, served.url);
  const { page } = opened;
  for (const path of ['/levels', '/b/lumen/tensor-photonic/level']) {
    await visit(opened, path);
    assert.ok(plain(await page.textContent('.banner')).startsWith('Frozen: nobody moves'), path);
    assert.ok((await page.textContent('.banner')).includes(why), path);
  }
  story = 'calm';
  await visit(opened, '/levels');
  assert.match(await page.textContent('.answer'), /Everybody stands where the list says/);
  story = 'empty';
  await visit(opened, '/levels');
  assert.ok(await page.isVisible('text=Nobody stands on the ladder yet'));
  assert.ok(await page.isVisible('text=Nothing has moved yet'));
  story = 'new';
  await visit(opened, `/b/${examples.downstreamNames[0]}/level`);
  assert.match(plain(await page.textContent('.verdict')), /Not evaluated yet/);
  assert.ok(await page.isVisible('text=the first evaluation is at the next midnight'));
  assert.deepEqual(opened.faults, []);
});

test('a page of figures says what is missing, never that nothing was evaluated', { skip }, async (t) => {
  let story = '';
  const few = (list) => list.map((one) => ({ ...one, met: 'insufficient', n: 2, least: 3, measured: 1, advice: '1 more samples' }));
  const change = (name, answer) => {
    if (name === 'levels') {
      const proposal = { from: 'L4', to: 'L3', since: answer.as_of, reason: 'still violated after 2 days' };
      return { ...answer, rows: answer.rows.map((row) => (row.level === 'L4' ? { ...row, state: 'ok', reason: '3 clean evaluations in a row', proposal } : row)) };
    }
    if (name !== 'level') return answer;
    const { standing } = answer;
    if (story === 'no criterion') return { ...answer, next: [], demotion: [], standing: { ...standing, reason: '', met: 0, asked: 0, ready_for: null } };
    if (story === 'few') return { ...answer, demotion: few(answer.demotion), standing: { ...standing, insufficient: true } };
    const rates = answer.rates.map((one) => ({ ...one, excluded: { ...one.excluded, value: 0.41 } }));
    if (story === 'excluded')
      return { ...answer, rates, demotion: few(answer.demotion).map((one) => ({ ...one, n: 50 })), standing: { ...standing, insufficient: true } };
    return { ...answer, exclusions: { ...answer.exclusions, excluded: 0, decided: 1, newest: [], by_rule: [{ rule: 'standing', red: 17, excluded: 0 }] } };
  };
  const served = await relay({ change }, t);
  const opened = await openPage(stage.browser, served.url);
  const said = async (which) => {
    story = which;
    await visit(opened, '/b/lumen/tensor-photonic/level');
    return plain(await opened.page.textContent('main'));
  };
  const bare = await said('no criterion');
  assert.match(bare, /As listed\. No criterion of L4 applies: baton\/1 has none\./);
  assert.match(bare, /baton\/1 has no criterion that keeps L3, and none for L4/);
  assert.doesNotMatch(bare, /0 of 0|next midnight/);
  const short = await said('few');
  assert.match(short, /Too little to tell\. Too few samples for 7 criteria\. Nothing moves/);
  assert.match(short, /1 more sample(?!s)/);
  assert.match(await said('excluded'), /41\.0 % of what was decided in 7 days is excluded; more than 30 % tells nothing/);
  assert.match(await said('repeated'), /Of 17 red outcomes of standing breakage the first of each day and job counts; repeats are set aside/);
  await visit(opened, '/levels');
  assert.match(plain(await opened.page.textContent('.notable')), /Still violated after 2 days\. ?It stands as listed again: 3 clean evaluations in a row.*L4 → L3 proposed/);
  assert.deepEqual(opened.faults, []);
});

test('a store that cannot be read keeps the ladder and says so', { skip }, async (t) => {
  const ill = await relay({}, t);
  const opened = await openPage(stage.browser, ill.url);
  const { page } = opened;
  await visit(opened, '/levels');
  await page.waitForSelector('.live-live');
  ill.unwell = true;
  ill.tell({ topic: 'downstream', upstream: 'acme/tensor', number: null, downstream: lowered });
  await page.waitForSelector('text=The store cannot be read now');
  assert.ok(await page.isVisible('table.ladder'));
});
