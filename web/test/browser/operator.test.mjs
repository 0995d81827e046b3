// What those who run the relay do: find what got lost, read why a report was refused, act with a token, and see it in the audit.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibility, launch, openPage, real, relay, settled, sideways, unable, visit } from './browser.mjs';

const skip = unable() || (real && "these follow the stand-in's own examples");
const good = 'stand-in-token';
let browser;

before(async () => {
  if (!skip) browser = await launch();
});

after(async () => browser?.close());

async function begin(t, path, options = {}) {
  const served = await relay(options, t);
  const opened = await openPage(browser, served.url);
  t.after(() => opened.context.close());
  await visit(opened, path);
  return { served, opened, page: opened.page };
}

test('what was given up is grouped by reason, and a group is sent again with its progress', { skip }, async (t) => {
  const { served, page } = await begin(t, '/dead');
  assert.match(await page.textContent('.verdict'), /39 dispatches to kestrel\/tensor-fpga/);
  await page.click('text=Send all 39 again');
  await page.waitForSelector('dialog[open] >> text=one after the other');
  assert.deepEqual(await accessibility(page), []);
  await page.fill('input[type=password]', good);
  await page.keyboard.press('Enter');
  await page.waitForSelector('progress');
  await page.waitForSelector('[role=status] >> text=39 dispatches for kestrel/tensor-fpga sent again');
  await page.waitForSelector('text=Most often given up: 19 dispatches to sable/tensor-dsp');
  assert.equal(served.redelivered.length, 39);
  assert.ok(served.redelivered.every(({ downstream }) => downstream === 'kestrel/tensor-fpga'));
  assert.equal(new Set(served.redelivered.map(({ id }) => id)).size, 39);
});

test('sending a group again can be stopped', { skip }, async (t) => {
  const { served, page } = await begin(t, '/dead');
  const act = served.act.bind(served);
  served.act = async (...asked) => {
    await new Promise((done) => setTimeout(done, 150));
    return act(...asked);
  };
  await page.click('text=Send all 39 again');
  await page.fill('input[type=password]', good);
  await page.keyboard.press('Enter');
  await page.click('text=Stop');
  await page.waitForSelector('[role=status] >> text=/dispatch(es)? for kestrel.tensor-fpga sent again$/');
  assert.ok(served.redelivered.length < 39, `${served.redelivered.length}`);
});

test('filters and pages of what was given up are in the address', { skip }, async (t) => {
  const { page } = await begin(t, '/dead');
  await page.click('main a >> text=The App is not installed there (404)');
  await page.waitForURL(/\/dead\?downstream=sable%2Ftensor-dsp&kind=dispatch&reason=The\+App/);
  await page.waitForFunction(() => !document.querySelector('main').textContent.includes('kestrel'));
  await page.reload();
  await settled(page);
  assert.equal(await page.locator('main >> text=kestrel').count(), 0);
  assert.ok(await page.getAttribute('a:has-text("CSV")', 'href').then((href) => href.includes('downstream=sable')));
  await page.click('text=Show everything that was given up');
  await page.waitForURL('**/dead');
  await page.click('text=Older');
  await page.waitForURL('**/dead?cursor=*');
  await page.waitForFunction(() => document.querySelectorAll('[aria-label="Dispatches given up"] tbody tr').length === 8);
});

test('without an admin token configured nothing is offered, and the page says what to do instead', { skip }, async (t) => {
  const change = (name, answer) => (name === 'status' ? { ...answer, actions: false } : answer);
  const { page } = await begin(t, '/dead', { change });
  await page.waitForSelector('text=the relay knows no admin token');
  assert.match(await page.textContent('main'), /admin_tokens.*baton deliveries redeliver/s);
  assert.equal(await page.locator('text=/^Send/').count(), 0);
  for (const path of ['/', '/pr/acme/tensor/4821', '/b/borealis/tensor-npu']) {
    await page.goto(new URL(path, page.url()).href);
    await settled(page);
    assert.equal(await page.locator('text=/^(Acknowledge|Run again|Suspend|Write a note)/').count(), 0, path);
  }
});

test('a refused report says why, whose it was and what to do', { skip }, async (t) => {
  const { page } = await begin(t, '/');
  await page.click('text=19 reports of helix-ai/tensor-hx refused in the last hour');
  await page.waitForURL('**/refused?downstream=helix-ai%2Ftensor-hx');
  await settled(page);
  assert.match(await page.textContent('.verdict'), /312 reports were refused in 24 hours, most often: callback token/);
  const rows = await page.$$eval('[aria-label="Refused reports"] tbody tr', (list) => list.map((row) => row.textContent));
  assert.ok(rows.length > 0 && rows.every((row) => row.includes('helix-ai/tensor-hx') && row.includes('client_payload')));
  await page.selectOption('.controls select', 'bad token');
  await page.waitForSelector('text=No refused report fits these filters');
  await page.click('text=Show all of them');
  await page.waitForURL('**/refused');
  await page.waitForSelector('text=unknown caller');
  const whose = page.locator('[aria-label="Refused reports by downstream"]');
  assert.deepEqual(await whose.locator('tbody .number').allTextContents(), ['188', '64', '43', '17']);
  await whose.getByText('kestrel/tensor-fpga').click();
  await page.waitForURL('**/refused?downstream=kestrel%2Ftensor-fpga');
});

test('the allowlist shows what is in force, what is wrong with it and how it changed', { skip }, async (t) => {
  const { page } = await begin(t, '/allowlist');
  assert.match(await page.textContent('.verdict'), /The newest version cannot be used; the one before it stays in force/);
  assert.match(await page.textContent('.banner'), /line 23, column 7.*unknown key "devise"/s);
  await page.fill('.controls input', 'fpga');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/allowlist?find=fpga');
  assert.equal(await page.locator('[aria-label="Entries of acme/tensor"] tbody tr').count(), 1);
  assert.match(await page.textContent('.versions'), /moved.*helix-ai\/tensor-hx.*L3.*L4.*counts for merging from now on/s);
});

test('refused reports are called the fault of the relay only while its status says so', { skip }, async (t) => {
  let ready = true;
  const change = (name, answer) => {
    if (name === 'status') return { ...answer, ready };
    if (name !== 'refused') return answer;
    return { ...answer, totals: { ...answer.totals, by_reason: [...answer.totals.by_reason, { reason: 'keys unavailable', count: 4, hint: 'send it again' }] } };
  };
  const served = await relay({ change }, t);
  const opened = await openPage(browser, served.url);
  await visit(opened, '/refused');
  assert.match(await opened.page.textContent('.verdict'), /4 reports the relay could not check at that moment\./);
  ready = false;
  await visit(opened, '/refused');
  await opened.page.waitForSelector('.verdict >> text=The relay itself is not well');
  assert.deepEqual(opened.faults, []);
});

test('the status page says which part is ill and why, worst first', { skip }, async (t) => {
  const change = (name, answer) =>
    name === 'status'
      ? { ...answer, ready: false, parts: [...answer.parts.slice(0, 3), { name: 'allowlist', ready: false, trouble: 'acme/tensor: line 23 cannot be read' }] }
      : answer;
  const { page } = await begin(t, '/status', { change });
  assert.match(await page.textContent('.verdict'), /The relay is not ready: allowlist/);
  assert.match(await page.textContent('[aria-label="Parts of the relay"] tbody tr'), /allowlist.*not ready.*line 23 cannot be read/s);
  assert.match(await page.textContent('[aria-label="Queues"]'), /To send.*2 of them being sent right now.*6/s);
  assert.match(await page.textContent('[aria-label="Quota of GitHub\'s API"]'), /kestrel\s*0\s*5,000/);
});

test('pages about the relay are reached by the keyboard', { skip }, async (t) => {
  const { page } = await begin(t, '/');
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.waitForURL('**/status');
  await settled(page);
  await page.keyboard.press('/');
  await page.keyboard.type('audit');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/audit');
  await settled(page);
  await page.keyboard.press('j');
  assert.ok(await page.evaluate(() => document.activeElement.closest('[data-row]') !== null));
});

test('the audit can be narrowed to one kind of action', { skip }, async (t) => {
  const { page } = await begin(t, '/audit');
  await page.selectOption('.controls select', 'suspended');
  await page.waitForURL('**/audit?action=suspended');
  await page.waitForFunction(() => [...document.querySelectorAll('tbody th')].every((cell) => cell.textContent === 'suspended'));
  assert.match(await page.textContent('tbody tr'), /sable\/tensor-dsp.*root on relay-1.*runners on fire/s);
  assert.match(await page.getAttribute('a:has-text("NDJSON")', 'href'), /^\/api\/v1\/audit\.ndjson\?action=suspended$/);
});

test('a matter is acknowledged with a reason, a name and an end', { skip }, async (t) => {
  const { served, page } = await begin(t, '/');
  assert.match(await page.textContent('.attention .known'), /acknowledged: release duty \(ann\) looks after it.*their lab moves/s);
  await page.click('text=Acknowledge >> nth=0');
  await page.waitForSelector('dialog[open]');
  const button = page.locator('dialog button.primary');
  assert.ok(await button.isDisabled());
  await page.fill('dialog input >> nth=0', 'I look into the 502s');
  await page.selectOption('dialog select', '1d');
  await page.fill('dialog input >> nth=1', 'ann');
  await page.fill('input[type=password]', good);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=status] >> text=The stand-in did it');
  const [{ what, order }] = served.orders;
  assert.equal(what, 'POST attention/acknowledge');
  assert.deepEqual({ ...order, until: '' }, { key: 'dead_dispatches', reason: 'I look into the 502s', name: 'ann', until: '' });
  const ahead = Date.parse(order.until) - Date.now();
  assert.ok(ahead > 23 * 3_600_000 && ahead < 25 * 3_600_000);
});

test('on a bad day the worst matters stand first, the others behind a click, and whatever is urgent is never folded', { skip }, async (t) => {
  const change = (name, answer) => {
    if (name !== 'overview') return answer;
    const [matter] = answer.attention;
    const many = Array.from({ length: 30 }, (_, at) => ({ ...matter, key: `m${at}`, text: `matter ${at}`, severity: at < 11 ? 'high' : 'low' }));
    return { ...answer, attention: many };
  };
  const served = await relay({ change }, t);
  const opened = await openPage(browser, served.url);
  const { page } = opened;
  await visit(opened, '/');
  assert.equal(await page.locator('.attention li').count(), 11);
  await page.click('text=Show 19 more matters');
  await page.waitForURL('**/?matters=all');
  assert.equal(await page.locator('.attention li').count(), 30);
  await page.reload();
  await settled(page);
  assert.equal(await page.locator('.attention li').count(), 30, 'the address brings it back');
  assert.deepEqual(opened.faults, []);
});

test('what needs attention also stands on the page of whom it is about', { skip }, async (t) => {
  const { page } = await begin(t, '/b/helix-ai/tensor-hx');
  assert.match(await page.textContent('.attention'), /19 reports of helix-ai\/tensor-hx refused/);
  assert.equal(await page.locator('.attention li').count(), 2);
  await page.click('text=refused reports');
  await page.waitForURL('**/refused?downstream=helix-ai%2Ftensor-hx');
});

test('a page that comes a moment later takes the focus along', { skip }, async (t) => {
  const { page } = await begin(t, '/');
  await page.click('nav >> text=Relay');
  await page.waitForURL('**/status');
  await settled(page);
  await page.waitForFunction(() => document.activeElement?.id === 'main');
});

test('a downstream runs again on a pull request; a refusal stays readable in the dialog', { skip }, async (t) => {
  const { served, page } = await begin(t, '/pr/acme/tensor/4821');
  await page.click('[aria-label="Run again: openrisc/tensor-riscv"]');
  await page.fill('dialog input >> nth=0', 'flaky driver');
  await page.fill('input[type=password]', good);
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog [role=alert] >> text=It still runs; wait for its end');
  await page.keyboard.press('Escape');
  await page.click('[aria-label="Run again: borealis/tensor-npu"]');
  await page.selectOption('dialog select', 'all');
  await page.fill('dialog input >> nth=0', 'flaky driver');
  assert.equal(await page.locator('input[type=password]').count(), 0, 'the token is asked for once');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=status] >> text=The stand-in did it: rerun');
  assert.deepEqual(served.orders.at(-1), {
    what: 'POST pulls/acme/tensor/4821/rerun',
    order: { downstream: 'borealis/tensor-npu', scope: 'all', reason: 'flaky driver' },
  });
});

test('a downstream is suspended with a reason, and one that is held can be resumed', { skip }, async (t) => {
  const { served, page } = await begin(t, '/b/borealis/tensor-npu');
  await page.click('text=Suspend…');
  await page.fill('dialog input >> nth=0', 'runners on fire');
  await page.selectOption('dialog select >> nth=0', '');
  await page.fill('input[type=password]', 'wrong');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog [role=alert] >> text=The token is wrong');
  await page.fill('input[type=password]', good);
  await page.click('text=Suspend it');
  await page.waitForSelector('[role=status] >> text=The stand-in did it: suspend');
  assert.deepEqual(served.orders, [
    { what: 'POST downstreams/borealis/tensor-npu/suspend', order: { reason: 'runners on fire', until: null } },
  ]);
  served.change = (name, answer) => (name === 'downstream' ? { ...answer, downstream: { ...answer.downstream, suspended: true } } : answer);
  served.tell({ topic: 'downstream', upstream: 'acme/tensor', number: null, downstream: 'borealis/tensor-npu' });
  await page.click('text=Resume…');
  await page.fill('dialog input >> nth=0', 'new fans');
  await page.click('text=Resume it');
  await page.waitForSelector('[role=status] >> text=The stand-in did it: resume');
});

test('a note is written, stands for everybody and stays plain text', { skip }, async (t) => {
  const { served, page } = await begin(t, '/b/borealis/tensor-npu');
  await page.click('text=Write a note');
  await page.fill('dialog textarea', '<b>New driver</b> from Monday on\njavascript:alert(1)');
  await page.fill('input[type=password]', good);
  await page.click('text=Write it');
  await page.waitForSelector('.notes >> text=<b>New driver</b> from Monday on');
  assert.equal(await page.locator('.notes b').count(), 0);
  assert.deepEqual(served.orders[0].order.about, 'downstream');
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie, location.href]));
  assert.ok(!kept.includes(good));
  await page.click('text=Remove');
  await page.fill('dialog input >> nth=0', 'over');
  await page.click('text=Remove it');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  assert.match(served.orders[1].what, /^DELETE notes\/100$/);
});

test('dialogs are accessible and fit a phone', { skip }, async (t) => {
  const served = await relay({}, t);
  const opened = await openPage(browser, served.url, { width: 390, scheme: 'dark' });
  await visit(opened, '/b/borealis/tensor-npu');
  await opened.page.click('text=Suspend…');
  await opened.page.waitForSelector('dialog[open]');
  assert.deepEqual(await accessibility(opened.page), []);
  assert.equal(await sideways(opened.page), 0);
  await opened.context.close();
});

test('every table has its twins for programs, and they are left to the browser', { skip }, async (t) => {
  const { page } = await begin(t, '/');
  const twins = {
    '/': ['/api/v1/overview.csv?window=7d', '/feeds/attention.atom'],
    '/pulls?author=mira': ['/api/v1/pulls.csv?author=mira&state=open'],
    '/deliveries?event=push': ['/api/v1/deliveries.ndjson?event=push'],
    '/dead': ['/api/v1/dead.csv?kind=dispatch', '/api/v1/dead.ndjson?kind=letter'],
    '/refused': ['/api/v1/refused.csv'],
    '/audit': ['/api/v1/audit.csv'],
    '/b/borealis/tensor-npu?window=30d': [
      '/api/v1/downstreams/borealis/tensor-npu/days.csv?window=30d',
      '/api/v1/downstreams/borealis/tensor-npu/grid.csv?event=pull_request',
      '/feeds/borealis/tensor-npu.atom',
    ],
    '/pr/acme/tensor/4821': ['/feeds/pr/acme/tensor/4821.atom'],
  };
  for (const [path, wanted] of Object.entries(twins)) {
    await page.goto(new URL(path, page.url()).href);
    await settled(page);
    const links = await page.$$eval('.twins a', (list) => list.map((link) => link.getAttribute('href')));
    for (const one of wanted) assert.ok(links.includes(one), `${path}: ${one} of ${links.join(' ')}`);
  }
  await page.goto(new URL('/audit', page.url()).href);
  await settled(page);
  const [loaded] = await Promise.all([page.waitForEvent('download'), page.click('text=CSV')]);
  assert.match(loaded.suggestedFilename(), /audit\.csv/);
});
