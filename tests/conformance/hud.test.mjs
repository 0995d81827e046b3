// A real relay's API against its own description: every answer fits its schema, and what is wrong is said as a problem.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { SECRET, eventually, startRelay, startSim, temporaryFolder } from './lib/processes.mjs';

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../web/openapi.json'), 'utf8'));
const ADMIN = 'an-admin-token-of-this-test';
const ALLOWLIST = `
L2:
  - down/two: {device: npu}
  - down/silent: {device: slow}
L4:
  - down/four: {device: gpu, oncalls: [ann]}
  - down/secret: {visibility: private}
`;

const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
addFormats(ajv);
ajv.addSchema({ $id: 'api', components: document.components });

/** The schema of an answer, as the description has it for this path and status. */
function schemaOf(path, status, type, method = 'get') {
    const { responses } = document.paths[path][method];
    assert.ok(responses[status], `${method} ${path} does not say that it may answer ${status}`);
    const content = responses[status].content?.[type];
    assert.ok(content, `${path} ${status} does not describe ${type}`);
    return ajv.compile(JSON.parse(JSON.stringify(content.schema).replaceAll('"#/components', '"api#/components')));
}

/** Asks a relay and holds the answer against the description. */
async function ask(url, template, { params = {}, query = '', status = 200, method = 'GET', headers = {} } = {}) {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]));
    const reply = await fetch(`${url}${path}${query}`, { method, headers });
    const text = await reply.text();
    assert.equal(reply.status, status, `${path}${query}: ${text}`);
    const type = reply.headers.get('content-type');
    const body = JSON.parse(text);
    const fits = schemaOf(template, String(status), type, method.toLowerCase());
    assert.ok(fits(body), `${path}${query}: ${JSON.stringify(fits.errors?.slice(0, 5), null, 1)}`);
    return body;
}

/** What `look` finds, as soon as it finds something. */
async function found(what, look) {
    let thing;
    await eventually(what, async () => {
        thing = await look();
        return thing !== undefined;
    });
    return thing;
}

/** A relay with an upstream, and downstreams that pass, fail, say nothing and are nobody's business. */
async function startPlay(t) {
    const sim = await startSim(t);
    for (const repo of ['up/stream', 'down/two', 'down/four', 'down/silent', 'down/secret']) {
        await sim.order('POST', '/repos', { repo });
    }
    const { issuer } = await sim.order('GET', '/oidc');
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'allowlist.yml'), ALLOWLIST);
    writeFileSync(join(folder, 'admin'), ADMIN);
    const relay = await startRelay(t, {
        apiUrl: sim.url, keyFile: sim.keyFile, upstream: 'up/stream', allowlist: 'file:allowlist.yml', folder,
        more: `gate_settle: 1s\ngate_retries: 0\nadmin_tokens: [{file: admin}]\noidc:\n  audience: hud-test\n  issuers: [{issuer: "${issuer}", kind: github-actions}]\n`,
    });
    await sim.order('POST', '/webhooks', { url: `${relay.url}/github/webhook`, secret: SECRET });
    const script = (repo, script) => sim.order('POST', '/scripts', {
        repo, script, callback_url: `${relay.url}/github/callback`, audience: 'hud-test', queue_ms: 1, work_ms: 1,
    });
    await script('down/two', 'pass');
    await script('down/four', 'fail');
    await script('down/secret', 'fail');
    return { sim, relay };
}

const upstream = { owner: 'up', repo: 'stream', number: 1 };

test('every answer of the API fits its description', async (t) => {
    const { sim, relay } = await startPlay(t);
    const { url } = relay;
    const listed = await found('the list is in force', async () => {
        const { downstreams } = await ask(url, '/api/v1/overview');
        return downstreams.length > 0 ? downstreams : undefined;
    });
    assert.equal(listed.length, 3, 'the private one is nobody else\'s business');

    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    const pull = await found('both have ended', async () => {
        const reply = await fetch(`${url}/api/v1/pulls/up/stream/1`);
        if (!reply.ok) {
            return undefined;
        }
        const page = await reply.json();
        const ended = page.backends.filter(({ outcome }) => ['success', 'failure'].includes(outcome));
        return ended.length === 2 && page.gate?.conclusion === 'failure' ? page : undefined;
    });
    assert.equal(pull.verdict.merge, 'blocked');
    assert.equal(pull.backends[0].repo, 'down/four', 'who blocks comes first');
    assert.match(pull.verdict.text, /down\/four/);
    assert.equal(pull.checks.length, 1, 'the checks of the private one are not shown');

    await ask(url, '/api/v1/pulls/{owner}/{repo}/{number}', { params: upstream });
    const overview = await ask(url, '/api/v1/overview', { query: '?window=30d&upstream=up/stream' });
    assert.deepEqual(overview.downstreams.map(({ repo }) => repo)[0], 'down/four', 'the highest level first');
    const pulls = await ask(url, '/api/v1/pulls', { query: '?state=all&limit=1' });
    assert.equal(pulls.rows[0].number, 1);
    assert.equal((await ask(url, '/api/v1/pulls', { query: `?state=all&limit=1&cursor=${encodeURIComponent(pulls.next)}` })).rows.length, 0);
    const four = { owner: 'down', repo: 'four' };
    const backend = await ask(url, '/api/v1/downstreams/{owner}/{repo}', { params: four });
    const grid = await ask(url, '/api/v1/downstreams/{owner}/{repo}/grid', { params: four });
    assert.ok(grid.rows[0].cells.includes('failure'));
    const job = grid.rows[0].jobs.find((id) => id !== null);
    assert.equal((await ask(url, '/api/v1/jobs/{id}', { params: { id: job } })).downstream, 'down/four');
    const clusters = await ask(url, '/api/v1/clusters', { query: '?upstream=up/stream&limit=1' });
    assert.equal(clusters.rows.length, 1, 'the failed test of down/four, and nothing of the private one');
    const [failed] = clusters.rows;
    assert.equal(failed.downstreams.length, 1);
    assert.equal(failed.pulls.n, 1);
    const cell = pull.backends[0].cells.find(({ outcome }) => outcome === 'failure');
    assert.equal(cell.against_base.state, 'unknown', 'nothing ever ran on trunk');
    assert.equal(cell.attribution.verdict, 'unknown', 'one downstream, one pull request: nobody can tell');
    assert.equal(pull.backends[0].failed_tests[0].cluster, failed.id);
    assert.equal(pull.backends[0].failed_tests[0].also_in, 0, 'the private one is not counted');
    const cluster = await ask(url, '/api/v1/clusters/{id}', { params: { id: failed.id }, query: '?window=1d' });
    assert.equal(cluster.occurrences[0].job, pull.backends[0].failed_tests[0].job);
    const history = await ask(url, '/api/v1/tests', { query: `?name=${encodeURIComponent(failed.test)}` });
    assert.deepEqual(history.clusters, [failed.id]);
    const flaky = await ask(url, '/api/v1/flaky', { query: '?window=30d&downstream=down/four' });
    assert.deepEqual(flaky.rows, []);
    const { rows } = await ask(url, '/api/v1/deliveries', { query: '?event=pull_request' });
    const delivery = await ask(url, '/api/v1/deliveries/{id}', { params: { id: rows[0].id } });
    assert.ok(delivery.ledger.some(({ kind }) => kind === 'planned'), 'what was decided is told');
    const dead = await ask(url, '/api/v1/dead');
    assert.doesNotMatch(JSON.stringify([overview, pull, pulls, backend, grid, clusters, cluster, history, rows, delivery, dead]), /secret/i);
    await ask(url, '/api/v1/pulls/{owner}/{repo}/{number}', { params: upstream, query: `?sha=${pull.sha.slice(0, 8)}` });
    await ask(url, '/api/v1/pulls/{owner}/{repo}/{number}', { params: upstream, query: '?sha=0000000', status: 404 });

    // One figure, wherever it is asked for.
    const badge = await (await fetch(`${url}/badge/down/four.svg`)).text();
    assert.match(badge, new RegExp(`baton L4: ${(100 * backend.downstream.rates.final.value).toFixed(1)} % of ${backend.downstream.rates.final.n}`));
    const line = overview.downstreams.find(({ repo }) => repo === 'down/four');
    assert.deepEqual((await ask(url, '/api/v1/downstreams/{owner}/{repo}', { params: four, query: '?window=30d' })).downstream, line);
    assert.equal(backend.days.at(-1).cells.failure, line.cells.failure);
});

test('what is wrong is said as a problem', async (t) => {
    const { relay: { url } } = await startPlay(t);
    const wrong = [
        ['/api/v1/overview', '?window=3d', /window must be/],
        ['/api/v1/overview', '?upstream=nonsense', /upstream must be/],
        ['/api/v1/pulls', '?limit=0', /limit must be/],
        ['/api/v1/pulls', '?limit=201', /limit must be/],
        ['/api/v1/pulls', '?cursor=nonsense', /cursor must be/],
        ['/api/v1/pulls', '?state=ajar', /state must be/],
        ['/api/v1/clusters', '?cursor=nonsense', /cursor must be/],
        ['/api/v1/clusters', '?window=3d', /window must be/],
        ['/api/v1/flaky', '?cursor=nonsense', /cursor must be/],
        ['/api/v1/tests', '', /name must be/],
        ['/api/v1/tests', '?name=t&cursor=1:x', /cursor must be/],
        ['/api/v1/deliveries', '?state=nonsense', /state must be/],
        ['/api/v1/deliveries', '?number=one', /number must be/],
        ['/api/v1/deliveries', '?state=dead&event=push', /cannot be asked for together/],
    ];
    for (const [path, query, why] of wrong) {
        const { detail } = await ask(url, path, { query, status: 400 });
        assert.match(detail, why);
    }
    await ask(url, '/api/v1/pulls/{owner}/{repo}/{number}', { params: upstream, status: 404 });
    await ask(url, '/api/v1/pulls/{owner}/{repo}/{number}', { params: upstream, query: '?sha=../..', status: 400 });
    for (const repo of ['nobody', 'secret']) {
        const { detail } = await ask(url, '/api/v1/downstreams/{owner}/{repo}', { params: { owner: 'down', repo }, status: 404 });
        assert.match(detail, /stands in no allowlist/, 'a private one looks like none');
    }
    await ask(url, '/api/v1/clusters/{id}', { params: { id: 'nonsense' }, status: 400 });
    await ask(url, '/api/v1/clusters/{id}', { params: { id: '00c0ffee00c0ffee' }, status: 404 });
    await ask(url, '/api/v1/clusters', { query: '?downstream=down/secret', status: 404 });
    await ask(url, '/api/v1/deliveries/{id}', { params: { id: 'none' }, status: 404 });
    await ask(url, '/api/v1/jobs/{id}', { params: { id: 1 }, status: 404 });
});

test('who has the newest answer is told so, and nothing more', async (t) => {
    const { relay: { url } } = await startPlay(t);
    const first = await fetch(`${url}/api/v1/deliveries`);
    const tag = first.headers.get('etag');
    const again = await fetch(`${url}/api/v1/deliveries`, { headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), '');
});

test('acting needs an admin token', async (t) => {
    const { sim, relay: { url } } = await startPlay(t);
    const path = '/api/v1/deliveries/{id}/redeliver';
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: ADMIN }]) {
        await ask(url, path, { method: 'POST', params: { id: 'none' }, status: 401, headers });
    }
    const headers = { authorization: `Bearer ${ADMIN}` };
    await ask(url, path, { method: 'POST', params: { id: 'none' }, status: 404, headers });
    await sim.order('POST', '/repos/install', { repo: 'down/two', installed: false });
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    const lost = await found('one was given up', async () => {
        const { dispatches } = await ask(url, '/api/v1/dead');
        return dispatches[0];
    });
    assert.equal(lost.downstream, 'down/two');
    const { redelivered } = await ask(url, path, { method: 'POST', params: { id: lost.delivery }, headers });
    assert.equal(redelivered, 1);
});

/** Events of the stream from `after` on, until `enough` says so. */
async function heard(url, after, enough) {
    const stop = new AbortController();
    const reply = await fetch(`${url}/api/v1/stream?from=${after}`, { signal: stop.signal });
    assert.equal(reply.headers.get('content-type'), 'text/event-stream');
    const events = [];
    let text = '';
    for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
        text += piece;
        const whole = text.split('\n\n');
        text = whole.pop();
        for (const event of whole) {
            const fields = Object.fromEntries(event.split('\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 1).trim()]));
            if (fields.event) {
                events.push({ id: Number(fields.id), event: fields.event, data: JSON.parse(fields.data) });
            }
        }
        if (enough(events)) {
            break;
        }
    }
    stop.abort();
    return events;
}

test('the stream tells what changed, once, and goes on where it was left', async (t) => {
    const { sim, relay } = await startPlay(t);
    const { stream_id: before } = await ask(relay.url, '/api/v1/overview');
    const live = heard(relay.url, before, (events) => events.some(({ data }) => data.number === 1));
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    const events = await live;
    assert.ok(events.every(({ event }) => event === 'change'));
    assert.doesNotMatch(JSON.stringify(events), /down\/secret/);

    await found('the gate is decided', async () => {
        const reply = await fetch(`${relay.url}/api/v1/pulls/up/stream/1`);
        return (await reply.json()).gate?.conclusion === 'failure' || undefined;
    });
    const { stream_id: after } = await ask(relay.url, '/api/v1/overview');
    const all = await heard(relay.url, before, (heardSoFar) => heardSoFar.at(-1)?.id >= Number(after) - 1);
    const ids = all.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)].sort((a, b) => a - b), 'in order, none twice');
    const far = await heard(relay.url, Number(after) + 1_000_000, (some) => some.length > 0);
    assert.equal(far[0].event, 'resync', 'an id of another store: load anew');
    const reply = await fetch(`${relay.url}/api/v1/stream?from=nonsense`);
    assert.equal(reply.status, 400);
});
