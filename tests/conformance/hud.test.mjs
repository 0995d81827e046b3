// A real relay's API against its own description: every answer fits its schema, and what is wrong is said as a problem.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { SECRET, STORE_KIND, eventually, startRelay, startSim, temporaryFolder } from './lib/processes.mjs';

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
async function ask(url, template, { params = {}, query = '', status = 200, method = 'GET', headers = {}, body } = {}) {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]));
    const reply = await fetch(`${url}${path}${query}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await reply.text();
    assert.equal(reply.status, status, `${path}${query}: ${text}`);
    const type = reply.headers.get('content-type');
    const answer = JSON.parse(text);
    const fits = schemaOf(template, String(status), type, method.toLowerCase());
    assert.ok(fits(answer), `${path}${query}: ${JSON.stringify(fits.errors?.slice(0, 5), null, 1)}`);
    return answer;
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
async function startPlay(t, more = '') {
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
        more: `gate_settle: 1s\ngate_retries: 0\nadmin_tokens: [{file: admin}]\noidc:\n  audience: hud-test\n  issuers: [{issuer: "${issuer}", kind: github-actions}]\n${more}`,
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
    const trends = await ask(url, '/api/v1/trends');
    assert.equal(trends.days.at(-1).cells.failure, backend.days.at(-1).cells.failure, 'nobody else failed');
    const trend = await ask(url, '/api/v1/trends', { query: '?downstream=down/four' });
    assert.deepEqual(trend.downstreams[0].rate, backend.downstream.rates.final);
    assert.equal(trend.days.at(-1).run.n, backend.run.n);
    const nightly = await ask(url, '/api/v1/nightly');
    const [{ workflow, job: name }] = grid.columns;
    const about = `?workflow=${encodeURIComponent(workflow)}&job=${encodeURIComponent(name)}`;
    const oneJob = await ask(url, '/api/v1/downstreams/{owner}/{repo}/job', { params: four, query: about });
    assert.equal(oneJob.rows[0].outcome, 'failure');
    await ask(url, '/api/v1/downstreams/{owner}/{repo}/job', { params: four, query: '?workflow=none', status: 404 });
    const suites = await ask(url, '/api/v1/suites', { query: `?event=pull_request&sha=${pull.sha}` });
    assert.equal(suites.rows[0].cells.find(({ repo }) => repo === 'down/four').outcome, 'failure');
    const benchmarks = await ask(url, '/api/v1/benchmarks', { query: '?downstream=down/four' });
    await ask(url, '/api/v1/benchmarks/series', { query: '?downstream=down/four&suite=none&name=none', status: 404 });
    const failing = await ask(url, '/api/v1/pulls', { query: '?standing=failing&level=L4' });
    assert.deepEqual(failing.rows[0].backends.map(({ repo }) => repo), ['down/four']);
    assert.equal((await ask(url, '/api/v1/pulls', { query: '?standing=failing&level=L4&author=nobody' })).rows.length, 0);
    assert.doesNotMatch(JSON.stringify([trends, nightly, oneJob, suites, benchmarks, failing]), /secret/i);
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
        ['/api/v1/pulls', '?standing=badly', /standing must be/],
        ['/api/v1/pulls', '?level=L5', /level must be/],
        ['/api/v1/nightly', '?weeks=0', /weeks must be/],
        ['/api/v1/benchmarks', '', /downstream is missing/],
        ['/api/v1/clusters', '?cursor=nonsense', /cursor must be/],
        ['/api/v1/clusters', '?window=3d', /window must be/],
        ['/api/v1/flaky', '?cursor=nonsense', /cursor must be/],
        ['/api/v1/tests', '', /name must be/],
        ['/api/v1/tests', '?name=t&cursor=1:x', /cursor must be/],
        ['/api/v1/deliveries', '?state=nonsense', /state must be/],
        ['/api/v1/deliveries', '?number=one', /number must be/],
        ['/api/v1/deliveries', '?state=dead&event=push', /cannot be asked for together/],
        ['/api/v1/overview', '?windw=7d', /no parameter windw here; there are window, upstream/],
        ['/api/v1/status', '?a=1', /no parameter a here; there are none/],
        ['/api/v1/dead', '?kind=nonsense', /kind must be/],
        ['/api/v1/dead', '?cursor=nonsense', /cursor must be/],
        ['/api/v1/refused', '?reason=nonsense', /reason must be/],
        ['/api/v1/notes', '?subject=x', /subject needs about/],
        ['/api/v1/audit', '?action=nonsense', /action must be/],
        ['/api/v1/pulls.csv', '?limit=3', /no parameter limit here/],
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
    for (const path of ['/api/v1/overview', '/api/v1/pulls', '/api/v1/allowlists']) {
        const { detail } = await ask(url, path, { query: '?upstream=no/such', status: 404 });
        assert.match(detail, /no upstream of this relay/);
    }
    for (const [path, headers, type] of [
        ['/api/v1/nothing', { accept: 'text/html' }, 'application/problem+json'],
        ['/nothing', {}, 'application/json'],
    ]) {
        const reply = await fetch(url + path, { headers });
        assert.deepEqual([reply.status, reply.headers.get('content-type')], [404, type], path);
    }
    const other = await fetch(`${url}/api/v1/overview`, { method: 'POST' });
    assert.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD']);
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

test('levels are told as their description says', async (t) => {
    const { sim, relay: { url } } = await startPlay(t, 'levels: {day: 1s}\n');
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    const board = await found('everybody was evaluated', async () => {
        const levels = await ask(url, '/api/v1/levels', { query: '?upstream=up/stream' });
        return levels.rows.length > 0 && levels.rows.every(({ as_of: asOf }) => asOf !== null) ? levels : undefined;
    });
    assert.deepEqual(board.rows.map(({ repo }) => repo).sort(), ['down/four', 'down/silent', 'down/two'], 'not the private one');
    assert.deepEqual(board.upstreams.map((one) => one.upstream), ['up/stream']);
    const overview = await ask(url, '/api/v1/overview');
    const levelsOf = (rows) => Object.fromEntries(rows.map((row) => [row.repo, [row.level, row.effective_level ?? row.level]]));
    assert.deepEqual(levelsOf(overview.downstreams), levelsOf(board.rows), 'the overview tells the levels of the ledger');
    const two = { owner: 'down', repo: 'two' };
    const detail = await ask(url, '/api/v1/downstreams/{owner}/{repo}/level', { params: two });
    assert.equal(detail.standing.level, 'L2');
    assert.equal(detail.standing.asked, detail.next.length);
    assert.ok(detail.next.length > 0, 'level 3 asks for something');
    assert.ok(detail.next.every(({ kind, trend }) => kind === 'next' && trend.length > 0));
    const moves = await ask(url, '/api/v1/levels/transitions', { query: '?upstream=up/stream&limit=200' });
    const csv = csvRows(await textOf(`${url}/api/v1/levels.csv`));
    assert.deepEqual(csv.map(({ repo }) => repo).sort(), board.rows.map(({ repo }) => repo).sort());
    const lines = await ndjsonRows(`${url}/api/v1/levels/transitions.ndjson`);
    assert.ok(lines.length >= moves.rows.length, 'the ledger only grows');
    assert.doesNotMatch(JSON.stringify([board, detail, moves, csv, lines]), /secret/i);
    await ask(url, '/api/v1/downstreams/{owner}/{repo}/level', { params: { owner: 'down', repo: 'secret' }, status: 404 });
    await ask(url, '/api/v1/levels', { query: '?upstream=no/such', status: 404 });
    await ask(url, '/api/v1/levels', { query: '?window=7d', status: 400 });
    await ask(url, '/api/v1/levels/transitions', { query: '?cursor=nonsense', status: 400 });
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

test('platforms are told as their description says', async (t) => {
    const examples = join(import.meta.dirname, '../../examples/quality');
    const { relay: { url } } = await startPlay(t, `quality: {assessments: ${JSON.stringify(examples)}}\n`);
    const matrix = await ask(url, '/api/v1/quality');
    assert.deepEqual(matrix.rows.map(({ id }) => id), ['intel-xpu-linux', 'tessera-tx1-linux']);
    assert.deepEqual(matrix.faulty, []);
    for (const { id: platform, releases, set, version } of matrix.rows) {
        const card = await ask(url, '/api/v1/quality/{platform}', { params: { platform } });
        assert.equal(card.platform.releases.length, releases.length);
        for (const { release, proven, p0 } of releases) {
            const one = await ask(url, '/api/v1/quality/{platform}/{release}', { params: { platform, release } });
            assert.equal(one.items.reduce((sum, item) => sum + item.proven, 0), proven, 'items, score and matrix tell one figure');
            assert.deepEqual(one.score.p0, p0);
        }
        await ask(url, '/api/v1/quality/criteria/{set}/{version}', { params: { set, version } });
    }
    const { rows } = await ask(url, '/api/v1/quality/criteria');
    assert.ok(rows.every(({ builtin }) => builtin));
    await ask(url, '/api/v1/quality/{platform}', { params: { platform: 'nobody' }, status: 404 });
    await ask(url, '/api/v1/quality/{platform}/{release}', { params: { platform: 'intel-xpu-linux', release: '1.0' }, status: 404 });
    await ask(url, '/api/v1/quality/criteria/{set}/{version}', { params: { set: 'no', version: '1' }, status: 404 });
    await ask(url, '/api/v1/quality', { query: '?platform=x', status: 400 });
    const first = await fetch(`${url}/api/v1/quality`);
    const again = await fetch(`${url}/api/v1/quality`, { headers: { 'if-none-match': first.headers.get('etag') } });
    assert.equal(again.status, 304);
});

test('every page of platforms has its twins, and they tell the same', async (t) => {
    const examples = join(import.meta.dirname, '../../examples/quality');
    const { relay: { url } } = await startPlay(t, `quality: {assessments: ${JSON.stringify(examples)}}\n`);
    const text = async (template, { params = {}, query = '', type }) => {
        const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]));
        const reply = await fetch(`${url}${path}${query}`);
        const body = await reply.text();
        assert.equal(reply.status, 200, `${path}: ${body}`);
        assert.equal(reply.headers.get('content-type').split(';')[0], type, path);
        schemaOf(template, '200', type);
        const again = await fetch(`${url}${path}${query}`, { headers: { 'if-none-match': reply.headers.get('etag') } });
        assert.equal(again.status, 304, path);
        return body;
    };
    const platform = 'tessera-tx1-linux';
    const criteria = { set: 'pytorch-cpq', version: '2025.11-124' };
    const compared = `?a=${encodeURIComponent(`${platform} 2.13`)}&b=${encodeURIComponent(`${platform} 2.14`)}`;
    const pages = [
        ['/quality', {}, '', '/api/v1/quality', '93 of 126 proven'],
        ['/quality/criteria', {}, '', '/api/v1/quality/criteria', 'pytorch-cpq'],
        ['/quality/criteria/{set}/{version}', criteria, '', '/api/v1/quality/criteria/{set}/{version}', 'SW-3'],
        ['/quality/{platform}', { platform }, '', '/api/v1/quality/{platform}', '93 proven'],
        ['/quality/{platform}/{release}', { platform, release: '2.14' }, '', '/api/v1/quality/{platform}/{release}', 'What may fall'],
        ['/quality/{platform}/gap', { platform }, '', null, 'The way to Stable'],
        ['/quality/{platform}/gap', { platform }, '?release=2.13', null, 'PyTorch 2.13'],
        ['/quality/compare', {}, compared, null, 'first, then second'],
    ];
    for (const [page, params, query, of, says] of pages) {
        const twin = await ask(url, `${page}.json`, { params, query });
        if (of) {
            const { as_of: _, ...same } = await ask(url, of, { params, query });
            const { as_of: __, ...told } = twin;
            assert.deepEqual(told, same, page);
        }
        assert.ok((await text(`${page}.md`, { params, query, type: 'text/markdown' })).includes(says), `${page}.md says ${says}`);
    }
    const { gaps } = await ask(url, '/quality/{platform}/gap.json', { params: { platform } });
    const { gaps: same } = await ask(url, '/api/v1/quality/{platform}/{release}', { params: { platform, release: '2.14' } });
    assert.deepEqual(gaps, same);
    const changes = await ask(url, '/quality/compare.json', { query: compared });
    assert.deepEqual([changes.a.release, changes.b.release, changes.after.proven], ['2.13', '2.14', 93]);
    for (const [kind, says] of [['', 'Unstable 93/126'], ['?kind=documented', 'documented'], ['?kind=score', '93/126']]) {
        assert.ok((await text('/quality/{platform}.svg', { params: { platform }, query: kind, type: 'image/svg+xml' })).includes(says), kind);
    }
    for (const path of ['/quality.csv', '/api/v1/quality.csv']) {
        const [head, ...rows] = (await (await fetch(`${url}${path}`)).text()).trim().split('\r\n');
        assert.ok(head.startsWith('id,name,vendor,'), head);
        assert.equal(rows.length, 3, 'one line for each platform at each release');
        assert.ok(rows.some((row) => row.startsWith('tessera-tx1-linux,') && row.includes(',2.14,Unstable,1,93,93,126,')), rows.join('\n'));
        schemaOf(path, '200', 'text/csv');
    }
    const nobody = { platform: 'nobody', release: '2.14' };
    for (const template of ['/quality/{platform}', '/quality/{platform}/{release}', '/quality/{platform}/gap']) {
        await ask(url, `${template}.json`, { params: nobody, status: 404 });
        await ask(url, `${template}.md`, { params: nobody, status: 404 });
    }
    await ask(url, '/quality/{platform}.svg', { params: nobody, status: 404 });
    await ask(url, '/quality/{platform}.svg', { params: { platform }, query: '?kind=size', status: 400 });
    await ask(url, '/quality/compare.json', { query: '?a=x', status: 400 });
    await ask(url, '/quality/compare.md', { query: '?a=x%202.14', status: 404 });
    await ask(url, '/quality/criteria/{set}/{version}.md', { params: { set: 'no', version: '1' }, status: 404 });
    await ask(url, '/quality.md', { query: '?platform=x', status: 400 });
});

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

/** Rows of a CSV file, by the names of its columns. */
function csvRows(text) {
    const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)];
    const lines = [[]];
    for (const [, cell, end] of cells) {
        lines.at(-1).push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
        if (end !== ',') {
            lines.push([]);
        }
    }
    const [head, ...rows] = lines.slice(0, -1);
    return rows.map((row) => Object.fromEntries(row.map((cell, i) => [head[i], cell])));
}

const textOf = async (url) => (await fetch(url)).text();
const ndjsonRows = async (url) => (await textOf(url)).trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));

test('page, CSV, NDJSON and badge tell the same figures', async (t) => {
    const { sim, relay: { url } } = await startPlay(t);
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann', title: '=HYPERLINK("http://x","y"), she said' });
    await found('both have ended', async () => {
        const reply = await fetch(`${url}/api/v1/pulls/up/stream/1`);
        return reply.ok && (await reply.json()).gate?.conclusion === 'failure' ? true : undefined;
    });
    const { downstreams } = await ask(url, '/api/v1/overview', { query: '?window=7d' });
    const lines = csvRows(await textOf(`${url}/api/v1/overview.csv?window=7d`));
    assert.deepEqual(await ndjsonRows(`${url}/api/v1/overview.ndjson?window=7d`), downstreams);
    assert.equal(lines.length, downstreams.length);
    for (const [i, line] of lines.entries()) {
        const shown = downstreams[i];
        assert.equal(line.repo, shown.repo);
        for (const name of ['final', 'first_attempt', 'compat']) {
            assert.equal(line[`rates.${name}.value`] === '' ? null : Number(line[`rates.${name}.value`]), shown.rates[name].value);
            assert.equal(Number(line[`rates.${name}.n`]), shown.rates[name].n);
        }
        for (const [cell, n] of Object.entries(shown.cells)) {
            assert.equal(Number(line[`cells.${cell}`]), n);
        }
    }
    const four = downstreams.find(({ repo }) => repo === 'down/four');
    const badge = await textOf(`${url}/badge/down/four.svg?window=7d`);
    assert.match(badge, new RegExp(`${(100 * four.rates.final.value).toFixed(1)} % of ${four.rates.final.n}`));
    const { days } = await ask(url, '/api/v1/downstreams/{owner}/{repo}', { params: { owner: 'down', repo: 'four' } });
    assert.deepEqual(await ndjsonRows(`${url}/api/v1/downstreams/down/four/days.ndjson`), days);
    assert.equal(Number(csvRows(await textOf(`${url}/api/v1/downstreams/down/four/days.csv`))[0]['rate.n']), days[0].rate.n);
    assert.equal(days.reduce((n, day) => n + day.rate.n, 0), four.rates.final.n);

    const { rows } = await ask(url, '/api/v1/pulls', { query: '?state=all' });
    assert.deepEqual(await ndjsonRows(`${url}/api/v1/pulls.ndjson?state=all`), rows);
    const file = await fetch(`${url}/api/v1/pulls.csv?state=all`);
    assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8');
    const cells = csvRows(await file.text());
    assert.equal(cells.length, rows[0].backends.length);
    assert.equal(cells[0].title, `'${rows[0].title}`, 'no formula');
    assert.equal(cells[0]['backends.outcome'], rows[0].backends[0].outcome);
    const grid = await ask(url, '/api/v1/downstreams/{owner}/{repo}/grid', { params: { owner: 'down', repo: 'four' } });
    const flat = await ndjsonRows(`${url}/api/v1/downstreams/down/four/grid.ndjson`);
    assert.deepEqual(flat.map(({ outcome }) => outcome), grid.rows.flatMap(({ cells: some }) => some.filter(Boolean)));
    const { rows: deliveries } = await ask(url, '/api/v1/deliveries');
    assert.deepEqual(await ndjsonRows(`${url}/api/v1/deliveries.ndjson`), deliveries);
    assert.ok(deliveries.some(({ worst }) => worst !== null));
    for (const list of ['clusters', 'flaky']) {
        assert.deepEqual(await ndjsonRows(`${url}/api/v1/${list}.ndjson`), (await ask(url, `/api/v1/${list}`)).rows);
    }
    for (const table of ['dead', 'refused', 'audit', 'clusters', 'flaky', 'downstreams/down/four/grid']) {
        assert.equal((await fetch(`${url}/api/v1/${table}.csv`)).status, 200);
    }
    assert.doesNotMatch(await textOf(`${url}/api/v1/overview.csv`), /secret/);
});

test('refused reports are kept with their reason and what to do', async (t) => {
    const { relay: { url } } = await startPlay(t);
    for (let i = 0; i < 3; ++i) {
        const reply = await fetch(`${url}/github/callback`, { method: 'POST', body: '{}', headers: { authorization: 'Bearer no.such.token' } });
        assert.equal(reply.status, 401);
    }
    await fetch(`${url}/github/callback`, { method: 'POST', body: '{}' });
    const { rows, totals } = await found('they are written down', async () => {
        const page = await ask(url, '/api/v1/refused');
        return page.totals.n === 4 ? page : undefined;
    });
    const bad = rows.find(({ reason }) => reason === 'bad token');
    assert.deepEqual([bad.count, bad.downstream, bad.status], [3, null, 401]);
    assert.match(bad.hint, /fresh OIDC token/);
    assert.equal(totals.by_reason[0].reason, 'bad token');
    assert.deepEqual(totals.by_downstream.map(({ downstream, reason, count }) => [downstream, reason, count]), [[null, 'bad token', 4]]);
    assert.doesNotMatch(JSON.stringify(rows), /no\.such\.token/, 'nothing of the token');
    const first = await ask(url, '/api/v1/refused', { query: '?limit=1' });
    const second = await ask(url, '/api/v1/refused', { query: `?limit=1&cursor=${first.next}` });
    assert.notEqual(first.rows[0].id, second.rows[0].id);
    assert.equal((await ask(url, '/api/v1/refused', { query: '?reason=no%20token' })).rows.length, 1);
    const { attention, relay } = await ask(url, '/api/v1/overview');
    assert.equal(relay.refused_last_hour, 4);
    assert.ok(attention.some(({ kind, text }) => kind === 'refused' && /4 reports of unknown callers refused in the last hour: bad token/.test(text)));
});

test('what people do is done once, written down, and shown', async (t) => {
    const { sim, relay: { url } } = await startPlay(t);
    const headers = { authorization: `Bearer ${ADMIN}` };
    const two = { owner: 'down', repo: 'two' };
    const suspend = '/api/v1/downstreams/{owner}/{repo}/suspend';
    const act = (path, body, more = {}) => ask(url, path, { method: 'POST', headers, body, ...more });
    await ask(url, suspend, { method: 'POST', params: two, body: { reason: 'r' }, status: 401 });
    await found('the list is in force', async () => (await ask(url, '/api/v1/overview')).downstreams[0]);
    assert.match((await act(suspend, {}, { params: two, status: 400 })).detail, /\/reason/);
    assert.match((await act(suspend, { reason: 'r', why: 1 }, { params: two, status: 400 })).detail, /\/why: there is no such field/);
    await act(suspend, { reason: 'r' }, { params: { owner: 'down', repo: 'secret' }, status: 404 });
    const order = { reason: 'new racks', name: 'ann' };
    assert.equal((await act(suspend, order, { params: two })).done, true);
    assert.equal((await act(suspend, order, { params: two })).done, false);
    const { downstreams } = await ask(url, '/api/v1/overview');
    assert.equal(downstreams.find(({ repo }) => repo === 'down/two').suspended, true);
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    await found('the pull request is known', async () => (await fetch(`${url}/api/v1/pulls/up/stream/1`)).ok || undefined);
    const rerun = '/api/v1/pulls/{owner}/{repo}/{number}/rerun';
    assert.match((await act(rerun, { downstream: 'down/two', reason: 'r' }, { params: upstream, status: 409 })).detail, /suspended/);
    const resume = '/api/v1/downstreams/{owner}/{repo}/resume';
    assert.equal((await act(resume, { reason: 'done' }, { params: two })).done, true);
    assert.equal((await act(resume, { reason: 'done' }, { params: two })).done, false);
    assert.equal((await act(rerun, { downstream: 'down/four', scope: 'all', reason: 'again' }, { params: upstream })).done, true);
    await act(rerun, { downstream: 'down/four', reason: 'r' }, { params: { ...upstream, number: 99 }, status: 404 });

    const hostile = '<script>alert(1)</script>';
    const note = await act('/api/v1/notes', { about: 'pull', subject: 'up/stream#1', text: hostile, name: 'ann' });
    assert.match(note.by, /^admin token [0-9a-f]{8} for ann$/);
    const { rows } = await ask(url, '/api/v1/notes', { query: '?about=pull&subject=up/stream%231' });
    assert.equal(rows[0].text, hostile);
    await ask(url, '/api/v1/notes/{id}', { method: 'DELETE', headers, params: { id: note.id }, body: { reason: 'wrong' } });
    await ask(url, '/api/v1/notes/{id}', { method: 'DELETE', headers, params: { id: note.id }, body: { reason: 'wrong' }, status: 404 });

    await fetch(`${url}/github/callback`, { method: 'POST', body: '{}' });
    const entry = await found('something needs attention', async () => (await ask(url, '/api/v1/overview')).attention.find(({ kind }) => kind === 'refused'));
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await act('/api/v1/attention/acknowledge', { key: 'no:such', until, reason: 'r' }, { status: 404 });
    await act('/api/v1/attention/acknowledge', { key: entry.key, until, reason: 'known' });
    const known = (await ask(url, '/api/v1/overview')).attention.find(({ key }) => key === entry.key);
    assert.equal(known.acknowledged.reason, 'known');
    await act('/api/v1/attention/acknowledge', { key: entry.key, until: null, reason: 'no more' });

    const { rows: audit } = await ask(url, '/api/v1/audit');
    const told = audit.map(({ action }) => action);
    for (const action of ['suspended', 'resumed', 'rerun_ordered', 'noted', 'note_removed', 'acknowledged', 'acknowledgement_lifted']) {
        assert.equal(told.filter((one) => one === action).length, 1, action);
    }
    const done = audit.find(({ action }) => action === 'suspended');
    assert.deepEqual([done.subject, done.reason], ['down/two', 'new racks']);
    const one = await ask(url, '/api/v1/audit', { query: '?limit=1&action=suspended' });
    assert.equal(one.rows.length, 1);
});

test('status, allowlists and feeds tell how the relay is', async (t) => {
    const { sim, relay: { url } } = await startPlay(t);
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann', title: 'Make <b>it</b> faster' });
    await found('the gate is decided', async () => {
        const reply = await fetch(`${url}/api/v1/pulls/up/stream/1`);
        return reply.ok && (await reply.json()).gate?.conclusion === 'failure' ? true : undefined;
    });
    const status = await ask(url, '/api/v1/status');
    assert.ok(status.store.bytes > 0 && status.memory.resident_bytes > 0);
    assert.equal(status.store.kind, STORE_KIND);
    assert.ok(status.store.deliveries > 0 && status.store.results > 0);
    assert.ok(status.store.oldest_body_at && status.store.oldest_result_at);
    assert.equal(status.actions, true);
    assert.ok(status.last_delivery_at);
    const { upstreams } = await ask(url, '/api/v1/allowlists');
    assert.deepEqual(upstreams[0].entries.map(({ repo }) => repo), ['down/two', 'down/silent', 'down/four']);
    assert.equal(upstreams[0].refused, null);
    assert.match(upstreams[0].digest, /^[0-9a-f]{64}$/);
    for (const path of ['/feeds/down/four.atom', '/feeds/pr/up/stream/1.atom', '/feeds/attention.atom']) {
        const reply = await fetch(url + path);
        const text = await reply.text();
        assert.equal(reply.status, 200, text);
        assert.equal(reply.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
        assert.match(text, /^<\?xml version="1.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">/);
        assert.doesNotMatch(text, /secret|<b>/);
        const again = await fetch(url + path, { headers: { 'if-none-match': reply.headers.get('etag') } });
        assert.equal(again.status, 304, path);
    }
    assert.match(await textOf(`${url}/feeds/down/four.atom`), /down\/four failed/);
    assert.match(await textOf(`${url}/feeds/pr/up/stream/1.atom`), /Make &lt;b&gt;it&lt;\/b&gt; faster/);
    for (const path of ['/feeds/down/secret.atom', '/feeds/down/four', '/feeds/pr/up/stream/99.atom']) {
        assert.equal((await fetch(url + path)).status, 404, path);
    }
});
