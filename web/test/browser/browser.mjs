// A browser, and a relay to look at: the one at BATON_WEB_URL, or a stand-in. Debian's chromium; BATON_CHROMIUM names another.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { builtPages, StandIn } from '../stand_in/server.mjs';

export const real = process.env.BATON_WEB_URL?.replace(/\/$/, '');
const executablePath = process.env.BATON_CHROMIUM ?? '/usr/bin/chromium';
export const axeScript = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export function unable() {
  if (!existsSync(executablePath)) return `there is no browser at ${executablePath}`;
  if (!real && !existsSync(`${builtPages}/index.html`)) return `the pages are not built in ${builtPages}`;
  return false;
}

export function launch() {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

// With a test's context it is stopped when that test ends, however it ends.
export async function relay(options, context) {
  if (real) return { url: real, stop: async () => {} };
  const standIn = await new StandIn(options).start();
  context?.after(() => standIn.stop());
  return standIn;
}

// A page that writes down everything that should not happen: errors, refused policies, requests to elsewhere.
export async function openPage(browser, url, { width = 1366, height = 860, scheme = 'light', theme } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    timezoneId: 'Asia/Kathmandu',
    bypassCSP: false,
  });
  if (theme) await context.addInitScript((name) => localStorage.setItem('baton.theme', name), theme);
  await context.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(`${message.type()}: ${message.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) faults.push(`request to ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, context, faults, base: url };
}

export async function visit({ page, base }, path) {
  await page.goto(base + path);
  await settled(page);
}

export async function settled(page) {
  await page.waitForSelector('main h1');
  await page.waitForFunction(() => !document.querySelector('.loading') && !document.querySelector('[aria-busy="true"]'));
}

export async function violations(page) {
  return page.evaluate(() => globalThis.violations);
}

// The page itself never scrolls sideways; a table may, inside its own frame.
export async function sideways(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

// axe comes in through the debugger, so that the page's own policy stays in force.
export async function accessibility(page) {
  const { readFileSync } = await import('node:fs');
  await page.evaluate(readFileSync(axeScript, 'utf8'));
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 4)
          .map(({ html, failureSummary }) => `${html.slice(0, 160)} :: ${failureSummary?.split('\n')[1] ?? ''}`)
          .join(' | ')}`,
    );
}

// One stand-in and one browser for all tests of a file that follow the stand-in's own examples.
export function following() {
  const stage = { skip: unable() || (real && "these follow the stand-in's own examples") };
  before(async () => {
    if (stage.skip) return;
    stage.served = await relay();
    stage.browser = await launch();
  });
  after(async () => {
    await stage.browser?.close();
    await stage.served?.stop();
  });
  return stage;
}

async function qualityPages(base, list) {
  const { rows } = await (await fetch(`${base}/api/v1/quality`)).json();
  Object.assign(list, { quality: '/quality', qualityCompare: '/quality/compare', qualityCriteriaList: '/quality/criteria' });
  const [first] = rows;
  const several = rows.find(({ releases }) => releases.length > 1) ?? first;
  if (!first) return;
  list.qualityPlatform = `/quality/${several.id}`;
  list.qualityRelease = `/quality/${first.id}/${first.releases[0].release}`;
  list.qualityGap = `/quality/${several.id}/gap`;
  list.qualityCriteria = `/quality/criteria/${first.set}/${first.version}`;
  const [b, a] = [several.releases[0], several.releases.at(-1)].map(({ release }) => `${several.id} ${release}`);
  list.qualityCompared = `/quality/compare?${new URLSearchParams({ a, b })}`;
}

// One address of every page, found through the API, so that the same list fits any relay.
export async function everyPage(base) {
  const get = async (path) => (await fetch(base + path)).json();
  const overview = await get('/api/v1/overview');
  const pulls = await get('/api/v1/pulls?state=all&limit=1');
  const deliveries = await get('/api/v1/deliveries?limit=1');
  const list = { overview: '/', pulls: '/pulls', deliveries: '/deliveries', dead: '/dead', help: '/help', missing: '/no/such/page' };
  for (const name of ['refused', 'allowlist', 'status', 'audit']) list[name] = `/${name}`;
  Object.assign(list, { matrix: '/matrix', trends: '/trends', nightly: '/nightly', suites: '/suites', benchmarks: '/benchmarks' });
  Object.assign(list, { clusters: '/clusters', flaky: '/flaky', tests: '/tests' });
  const pull = pulls.rows[0];
  if (pull) list.pull = `/pr/${pull.upstream}/${pull.number}`;
  if (deliveries.rows[0]) list.delivery = `/deliveries/${deliveries.rows[0].id}`;
  const [first] = overview.downstreams;
  if (first) {
    list.downstream = `/b/${first.repo}`;
    const grid = await get(`/api/v1/downstreams/${first.repo}/grid`);
    const id = grid.rows.flatMap((row) => row.jobs).find((job) => job !== null);
    if (id !== undefined) list.job = `/job/${id}`;
    const [column] = grid.columns;
    if (column) list.jobHistory = `/b/${first.repo}/job?${new URLSearchParams({ job: column.job, workflow: column.workflow })}`;
    list.trendsOfOne = `/trends?downstream=${encodeURIComponent(first.repo)}`;
    list.benchmarksOfOne = `/benchmarks?downstream=${encodeURIComponent(first.repo)}`;
    const { rows } = await get(`/api/v1/benchmarks?downstream=${encodeURIComponent(first.repo)}`);
    if (rows?.[0]) list.benchmark = `${list.benchmarksOfOne}&${new URLSearchParams({ name: rows[0].name, suite: rows[0].suite })}`;
  }
  // A relay that does not judge levels has no such pages.
  if ((await fetch(`${base}/api/v1/levels`)).ok) list.levels = '/levels';
  if (list.levels && first) list.level = `/b/${first.repo}/level`;
  const lowered = overview.downstreams.find(({ level, effective_level: now }) => now !== undefined && now < level);
  if (list.levels && lowered) Object.assign(list, { levelLowered: `/b/${lowered.repo}/level`, downstreamLowered: `/b/${lowered.repo}` });
  await qualityPages(base, list);
  const [cluster] = (await get('/api/v1/clusters')).rows ?? [];
  if (cluster) list.cluster = `/clusters/${cluster.id}`;
  if (cluster) list.test = `/tests?${new URLSearchParams({ name: cluster.test })}`;
  return list;
}
