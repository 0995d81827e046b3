// A stand-in for the relay: serves OUT as the binary will, answers /api/v1 with examples, and has a stream that a test can speak on.
// By hand: node test/stand_in/server.mjs [OUT] [PORT]
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as examples from './examples.mjs';

export const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
const types = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
  '.png': 'image/png',
};
const twins = {
  '.csv': ['text/csv', 'id\r\n1\r\n'],
  '.ndjson': ['application/x-ndjson', '{"id":1}\n'],
  '.json': ['application/json', '{"id":1}'],
  '.md': ['text/markdown', '# One\n'],
  '.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
};
const here = dirname(fileURLToPath(import.meta.url));
export const builtPages = resolve(process.env.BATON_WEB_OUT ?? join(here, '../../../build/web'));
export const adminToken = 'stand-in-token';

export class StandIn {
  constructor({ out = builtPages, now = () => Date.now(), change = (_name, answer) => answer } = {}) {
    this.out = out;
    this.now = now;
    this.change = change; // a test may change an answer before it is sent: (name, answer, what was asked) => answer
    this.listeners = new Set();
    this.news = []; // {id, change}
    this.lastId = 1000;
    this.streamRequests = [];
    this.requests = [];
    this.redelivered = [];
    this.gone = new Set(); // deliveries that were sent again
    this.written = []; // notes
    this.orders = []; // what else was ordered
    this.unwell = false; // every API answer is 503
    this.mute = false; // nobody may listen
  }

  async start(port = 0) {
    this.server = createServer((request, response) => this.answer(request, response));
    await new Promise((ready, failed) => this.server.once('error', failed).listen(port, '127.0.0.1', ready));
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}`;
    return this;
  }

  async stop() {
    if (!this.server.listening) return;
    for (const listener of this.listeners) listener.destroy();
    this.listeners.clear();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  // Tells every open page that something changed.
  tell(change) {
    this.lastId += 1;
    this.news.push({ id: this.lastId, change });
    for (const listener of this.listeners) listener.write(line(this.lastId, change));
  }

  resync() {
    for (const listener of this.listeners) listener.write(`event: resync\nid: ${this.lastId}\ndata: {}\n\n`);
  }

  answer(request, response) {
    const url = new URL(request.url, this.url);
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    if (url.pathname === '/api/v1/stream') this.stream(request, response, url);
    else if (url.pathname.startsWith('/api/')) this.api(request, response, url);
    else this.page(request, response, url);
  }

  stream(request, response, url) {
    this.streamRequests.push(url.search);
    if (this.mute) return problem(response, 503, 'Too many listen already', 'Try again later.');
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(': hello\n\n');
    const from = Number(request.headers['last-event-id'] ?? url.searchParams.get('from') ?? this.lastId);
    for (const { id, change } of this.news) if (id > from) response.write(line(id, change));
    this.listeners.add(response);
    response.on('close', () => this.listeners.delete(response));
  }

  api(request, response, url) {
    if (this.unwell)
      return problem(response, 503, 'The store cannot be read now', 'It is being repaired; try again in a moment.', { 'Retry-After': '1' });
    const asked = { now: this.now(), ...Object.fromEntries(url.searchParams) };
    const parts = url.pathname.slice('/api/v1/'.length).split('/').map(decodeURIComponent);
    if (request.method !== 'GET') return this.act(request, response, parts, asked);
    if (/\.(csv|ndjson)$/.test(url.pathname)) return this.twin(response, url);
    Object.assign(asked, { gone: this.gone, written: this.written });
    const [name, answer] = find(parts, asked);
    if (answer === null || answer === undefined)
      return problem(response, 404, 'There is no such thing', `Nothing is known of ${url.pathname}.`);
    const told = this.change(name, answer, asked);
    const text = JSON.stringify({ ...told, ...(told.stream_id ? { stream_id: String(this.lastId) } : {}) });
    const etag = `"${createHash('sha256')
      .update(text.replace(/"as_of":"[^"]*"/, ''))
      .digest('hex')
      .slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { ETag: etag }).end();
    return response.writeHead(200, { 'Content-Type': 'application/json', ETag: etag }).end(text);
  }

  async act(request, response, parts, asked) {
    let text = '';
    for await (const piece of request) text += piece;
    if (request.headers.authorization !== `Bearer ${adminToken}`)
      return problem(response, 401, 'The token is wrong', 'Use an admin token of the configuration.');
    if (parts[0] === 'deliveries' && parts[2] === 'redeliver') {
      this.redelivered.push({ id: parts[1], downstream: asked.downstream ?? null });
      this.gone.add(parts[1]);
      return json(response, { redelivered: 1 });
    }
    const order = JSON.parse(text);
    this.orders.push({ what: `${request.method} ${parts.join('/')}`, order });
    if (parts[0] === 'notes' && request.method === 'POST') {
      const { name = '', ...note } = order;
      const made = { id: 100 + this.written.length, expires_at: null, ...note, by: `stand-in (${name})`, at: new Date(this.now()).toISOString() };
      this.written.unshift(made);
      return json(response, made);
    }
    if (order.downstream === 'openrisc/tensor-riscv')
      return problem(response, 409, 'It cannot be run again now', 'It still runs; wait for its end.');
    return json(response, { done: true, text: `The stand-in did it: ${parts.at(-1)}` });
  }

  twin(response, url) {
    const [type, text] = twins[extname(url.pathname)];
    return response.writeHead(200, { 'Content-Type': type }).end(text);
  }

  page(request, response, url) {
    if (/^\/quality.*\.(json|md|svg|csv)$/.test(url.pathname)) return this.twin(response, url);
    const path = normalize(url.pathname);
    const asset = path.startsWith('/assets/');
    const file = join(this.out, asset ? path : 'index.html');
    if (!existsSync(file)) return response.writeHead(404, { 'Content-Type': 'text/plain' }).end('no such file\n');
    const headers = {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Content-Encoding': 'gzip',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': asset ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    return response.writeHead(200, headers).end(readFileSync(`${file}.gz`));
  }
}

function find(parts, asked) {
  const name = `${parts[1]}/${parts[2]}`;
  if (parts[0] === 'overview') return ['overview', examples.overview(asked)];
  if (parts[0] === 'pulls' && parts.length === 1) return ['pulls', examples.pulls({ ...asked, limit: Number(asked.limit ?? 50) })];
  if (parts[0] === 'pulls')
    return ['pull', name === examples.upstream ? examples.pull({ ...asked, number: Number(parts[3]), head: asked.sha }) : null];
  if (parts[0] === 'downstreams' && parts[3] === 'grid') return ['grid', examples.grid({ ...asked, name })];
  if (parts[0] === 'downstreams' && parts[3] === 'job') return ['jobHistory', examples.jobHistory({ ...asked, name })];
  if (parts[0] === 'downstreams' && parts[3] === 'level') return ['level', examples.level({ ...asked, name })];
  if (parts[0] === 'levels' && parts[1] === 'transitions') return ['levelTransitions', examples.levelTransitions(asked)];
  if (parts[0] === 'levels') return ['levels', examples.levels(asked)];
  if (parts[0] === 'downstreams') return ['downstream', examples.backend({ ...asked, name })];
  if (parts[0] === 'jobs') return ['job', examples.jobDetail({ ...asked, id: Number(parts[1]) })];
  if (parts[0] === 'deliveries' && parts.length === 1) return ['deliveries', examples.deliveries(asked)];
  if (parts[0] === 'deliveries') return ['delivery', parts[1].length > 20 ? examples.delivery({ ...asked, id: parts[1] }) : null];
  if (parts[0] === 'dead') return ['dead', examples.dead(asked)];
  if (parts[0] === 'refused') return ['refused', examples.refused(asked)];
  if (parts[0] === 'allowlists') return ['allowlists', examples.allowlists(asked)];
  if (parts[0] === 'status') return ['status', examples.status(asked)];
  if (parts[0] === 'notes') return ['notes', examples.notes(asked)];
  if (parts[0] === 'audit') return ['audit', examples.audit(asked)];
  if (parts[0] === 'trends') return ['trends', examples.trends(asked)];
  if (parts[0] === 'nightly') return ['nightly', examples.nightly(asked)];
  if (parts[0] === 'suites') return ['suites', examples.suites(asked)];
  if (parts[0] === 'benchmarks' && parts[1] === 'series') return ['benchmarkSeries', examples.benchmarkSeries(asked)];
  if (parts[0] === 'benchmarks') return ['benchmarks', examples.benchmarks(asked)];
  if (parts[0] === 'quality') return findQuality(parts, asked);
  if (parts[0] === 'clusters' && parts.length === 1) return ['clusters', examples.clusters(asked)];
  if (parts[0] === 'clusters') return ['cluster', examples.clusterDetail({ ...asked, id: parts[1] })];
  if (parts[0] === 'flaky') return ['flaky', examples.flaky(asked)];
  if (parts[0] === 'tests') return ['tests', examples.testHistory(asked)];
  if (parts[0] === 'openapi.json') return ['openapi', JSON.parse(readFileSync(join(here, '../../openapi.json'), 'utf8'))];
  return ['none', null];
}

function findQuality([, platform, release, version], asked) {
  if (!platform) return ['quality', examples.quality(asked)];
  if (platform === 'criteria' && !release) return ['qualityCriteriaList', examples.qualityCriteriaList(asked)];
  if (platform === 'criteria') return ['qualityCriteria', examples.qualityCriteria({ ...asked, set: release, version })];
  if (!release) return ['qualityPlatform', examples.qualityPlatform({ ...asked, platform })];
  return ['qualityRelease', examples.qualityRelease({ ...asked, platform, release })];
}

function line(id, change) {
  return `event: change\nid: ${id}\ndata: ${JSON.stringify(change)}\n\n`;
}

function json(response, answer) {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
}

function problem(response, status, title, detail, headers = {}) {
  response
    .writeHead(status, { 'Content-Type': 'application/problem+json', ...headers })
    .end(JSON.stringify({ type: 'about:blank', title, status, detail }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const standIn = await new StandIn({ out: resolve(process.argv[2] ?? builtPages) }).start(Number(process.argv[3] ?? 0));
  console.log(standIn.url);
}
