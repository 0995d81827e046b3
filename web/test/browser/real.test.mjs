// The pages as the binary serves them, over a real relay and its simulator: every page, a change that comes by itself, and a
// relay that is killed and comes back.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { APP_ID, SECRET, eventually, startSim, storeIn, temporaryFolder } from '../../../tests/conformance/lib/processes.mjs';
import { accessibility, everyPage, launch, openPage, settled, sideways, unable, violations, visit } from './browser.mjs';

const skip = unable();
const allowlist = 'L2:\n  - down/two: {device: npu}\nL4:\n  - down/four: {device: gpu, oncalls: [ann]}\n';
let browser;

before(async () => {
  if (!skip) browser = await launch();
});

after(async () => browser?.close());

async function serve(folder, port) {
  const child = spawn(process.env.BATON, ['serve', '--config', join(folder, 'baton.yml'), '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(60_000) });
  const kill = async (signal) => {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return { url: line.match(/http:\/\/\S+/)[0].replace(/\/$/, ''), kill };
}

// One downstream passes, one fails.
async function play(t) {
  const sim = await startSim(t);
  for (const repo of ['up/stream', 'down/two', 'down/four']) await sim.order('POST', '/repos', { repo });
  const { issuer } = await sim.order('GET', '/oidc');
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'allowlist.yml'), allowlist);
  writeFileSync(join(folder, 'secret'), SECRET);
  writeFileSync(
    join(folder, 'baton.yml'),
    `store: "${storeIn(folder)}"
gate_settle: 1s
github: {api_url: "${sim.url}", app_id: ${APP_ID}, private_key: {file: "${sim.keyFile}"}, webhook_secrets: [{file: secret}]}
upstreams: [{repo: up/stream, allowlist: "file:allowlist.yml"}]
oidc: {audience: pages, issuers: [{issuer: "${issuer}", kind: github-actions}]}
`,
  );
  const served = { relay: await serve(folder, 0) };
  t.after(() => served.relay.kill('SIGKILL'));
  served.again = async () => {
    served.relay = await serve(folder, new URL(served.relay.url).port);
  };
  await sim.order('POST', '/webhooks', { url: `${served.relay.url}/github/webhook`, secret: SECRET });
  for (const [repo, script] of [['down/two', 'pass'], ['down/four', 'fail']]) {
    const callback_url = `${served.relay.url}/github/callback`;
    await sim.order('POST', '/scripts', { repo, script, callback_url, audience: 'pages', queue_ms: 1, work_ms: 1 });
  }
  return { sim, served };
}

async function decided(url, number) {
  await eventually(`the gate of #${number} is decided`, async () => {
    const reply = await fetch(`${url}/api/v1/pulls/up/stream/${number}`);
    return reply.ok && (await reply.json()).gate?.conclusion === 'failure';
  });
}

test('every page of a real relay is whole, readable and keeps to its policy', { skip }, async (t) => {
  const { sim, served } = await play(t);
  await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
  await decided(served.relay.url, 1);
  const { missing, ...pages } = await everyPage(served.relay.url);
  assert.ok(pages.pull && pages.downstream && pages.job && pages.delivery, `${missing} is the stand-in's own`);
  for (const [name, path] of Object.entries(pages)) {
    for (const look of [{ width: 1366, scheme: 'light' }, { width: 390, scheme: 'dark' }]) {
      const opened = await openPage(browser, served.relay.url, look);
      await visit(opened, path);
      const where = `${name} at ${look.width}`;
      assert.deepEqual(opened.faults, [], where);
      assert.deepEqual(await violations(opened.page), [], where);
      assert.deepEqual(await accessibility(opened.page), [], where);
      assert.equal(await sideways(opened.page), 0, where);
      await opened.context.close();
    }
  }
});

// As the pages write it.
const written = ({ value, n }) => ({ value: value === null ? '–' : value === 1 ? '100 %' : `${(100 * value).toFixed(1)} %`, n });

test('overview, page of the downstream, API, CSV, NDJSON and badge tell the same figures', { skip }, async (t) => {
  const { sim, served } = await play(t);
  const { url } = served.relay;
  for (const number of [1, 2]) {
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    await decided(url, number);
  }
  const text = async (path) => (await fetch(url + path)).text();
  const { downstreams } = JSON.parse(await text('/api/v1/overview?window=7d'));
  const [head, ...lines] = (await text('/api/v1/overview.csv?window=7d')).trim().split('\r\n').map((line) => line.split(','));
  const rows = (await text('/api/v1/overview.ndjson?window=7d')).trim().split('\n').map((line) => JSON.parse(line));
  const opened = await openPage(browser, url);
  for (const { repo, rates } of downstreams) {
    const told = written(rates.final);
    assert.ok(told.n >= 2, `${repo} has results`);
    const line = Object.fromEntries(lines.find((cells) => cells.includes(repo)).map((cell, at) => [head[at], cell]));
    assert.deepEqual(written({ value: Number(line['rates.final.value']), n: Number(line['rates.final.n']) }), told, 'CSV');
    assert.deepEqual(written(rows.find((row) => row.repo === repo).rates.final), told, 'NDJSON');
    assert.ok((await text(`/badge/${repo}.svg?window=7d`)).includes(`${told.value} of ${told.n}`), 'badge');
    const own = JSON.parse(await text(`/api/v1/downstreams/${repo}?window=7d`));
    assert.deepEqual(written(own.downstream.rates.final), told, 'its own answer');

    await visit(opened, '/?window=7d');
    const rate = opened.page.locator('.downstreams tr', { hasText: repo }).locator('.rate');
    assert.equal(await rate.locator('.rate-value').textContent(), told.value, 'overview');
    assert.match(await rate.locator('.sub').textContent(), new RegExp(`n ${told.n}$`), 'overview');
    await visit(opened, `/b/${repo}?window=7d`);
    const card = opened.page.locator('.cards > div').first();
    assert.equal(await card.locator('.card-value').textContent(), told.value, 'page of the downstream');
    assert.match(await card.textContent(), new RegExp(`n ${told.n}\\b`), 'page of the downstream');
  }
  assert.deepEqual(opened.faults, []);
});

test('what happens is seen without a reload, also after the relay was killed', { skip }, async (t) => {
  const { sim, served } = await play(t);
  const opened = await openPage(browser, served.relay.url);
  const { page } = opened;
  await visit(opened, '/pulls');
  await page.waitForSelector('.live-live');
  await page.evaluate(() => (globalThis.same = true));
  await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
  await page.waitForSelector('text=#1');
  await decided(served.relay.url, 1);

  await served.relay.kill('SIGKILL');
  await page.waitForSelector('.live-away');
  await settled(page);
  assert.ok(await page.isVisible('text=#1'), 'what was seen last stays');
  await served.again();
  await page.waitForSelector('.live-live');
  await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ben' });
  await page.waitForSelector('text=#2');
  assert.equal(await page.evaluate(() => globalThis.same), true, 'the page was never loaded anew');
});
