// Every answer of the simulator, compared with GitHub's own description of it: on each path what it says when all is
// well, and what it says when not.

import assert from 'node:assert/strict';
import { createHmac, createSign } from 'node:crypto';
import { test } from 'node:test';

import { Description } from './lib/description.mjs';
import { ask, Record } from './lib/exchange.mjs';
import { APP_ID, SECRET, eventually, startSim } from './lib/processes.mjs';
import { startInbox } from './lib/inbox.mjs';

const rest = Description.named('rest');
const webhooks = Description.named('webhooks');

function appToken(privateKey) {
    const now = Math.floor(Date.now() / 1000);
    const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: now - 60, exp: now + 300, iss: APP_ID })}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
}

/** A world with an upstream, two downstreams, pull requests and a delivery that could not be delivered. */
async function furnished(t) {
    const sim = await startSim(t);
    for (const repo of ['up/stream', 'down/one', 'down/two']) {
        await sim.order('POST', '/repos', { repo });
    }
    await sim.order('POST', '/repos', { repo: 'down/absent', installed: false });
    await sim.order('POST', '/files', { repo: 'up/stream', path: 'dir/list.yml', text: 'L1: []\n' });
    await sim.order('POST', '/permissions', { repo: 'up/stream', login: 'ann', permission: 'maintain' });
    await sim.order('POST', '/webhooks', { url: 'http://127.0.0.1:1/github/webhook', secret: SECRET });
    for (const title of ['first', 'second', 'third']) {
        await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann', title, labels: ['x'] });
    }
    await sim.order('POST', '/pulls/act', { repo: 'up/stream', number: 1, action: 'merged', by: 'ann' });
    const record = new Record(rest);
    const as = (token) => ({ authorization: `Bearer ${token}` });
    const app = as(appToken(sim.privateKey));
    const token = async (repo, body) => {
        const where = await ask(record, sim.url, 'GET', `/repos/${repo}/installation`, { headers: app });
        const made = await ask(
            record, sim.url, 'POST', `/app/installations/${where.json().id}/access_tokens`, { headers: app, body },
        );
        assert.equal(made.status, 201, made.body);
        return as(made.json().token);
    };
    return { sim, record, app, token };
}

test('what the App asks as itself is answered as described', async (t) => {
    const { sim, record, app, token } = await furnished(t);
    const get = (target, more) => ask(record, sim.url, 'GET', target, { headers: app, ...more });
    const post = (target, more) => ask(record, sim.url, 'POST', target, { headers: app, ...more });
    assert.equal((await get('/app')).json().id, APP_ID);
    assert.equal((await get('/app/installations')).json().length, 2);
    assert.equal((await get('/app/installations?per_page=1&page=2')).json().length, 1);
    assert.equal((await get('/repos/down/absent/installation')).status, 404);
    await token('up/stream', { repositories: ['stream'], permissions: { contents: 'read', metadata: 'read' } });
    await token('up/stream');
    const id = (await get('/repos/down/one/installation')).json().id;
    const tokens = `/app/installations/${id}/access_tokens`;
    assert.equal((await post(tokens, { body: { repositories: ['nowhere'] } })).status, 422);
    assert.equal((await post(tokens, { body: { permissions: { contents: 'all' } }, requestFits: false })).status, 422);
    assert.equal((await post('/app/installations/1/access_tokens')).status, 404);

    await eventually('four tries in the log', async () => (await get('/app/hook/deliveries')).json().length >= 4);
    const page = await get('/app/hook/deliveries?per_page=2&status=failure');
    assert.match(page.headers.link, /cursor=.*rel="next"/);
    const [line] = page.json();
    assert.equal(line.status_code, 502, 'a webhook that could not be delivered stays in the log');
    assert.equal((await get(`/app/hook/deliveries/${line.id}`)).json().guid, line.guid);
    assert.equal((await post(`/app/hook/deliveries/${line.id}/attempts`)).status, 202);
    assert.equal((await post('/app/hook/deliveries/99999/attempts')).status, 404);
    assert.equal((await get('/app/hook/deliveries?cursor=x')).status, 422);
    assert.equal((await get('/app', { headers: { authorization: 'Bearer x' } })).status, 401);
    assert.deepEqual(record.misfits, []);
    for (const expected of [
        'GET /app 200', 'GET /app 401', 'GET /app/installations 200', 'GET /app/hook/deliveries 200',
        'GET /app/hook/deliveries 422', 'GET /app/hook/deliveries/{delivery_id} 200',
        'POST /app/hook/deliveries/{delivery_id}/attempts 202', 'POST /app/hook/deliveries/{delivery_id}/attempts 404',
        'POST /app/installations/{installation_id}/access_tokens 201',
        'POST /app/installations/{installation_id}/access_tokens 422', 'GET /repos/{owner}/{repo}/installation 200',
        'GET /repos/{owner}/{repo}/installation 404',
    ]) {
        assert.ok(record.seen.includes(expected), `${expected} was not tried`);
    }
});

test('what an installation asks with its token is answered as described', async (t) => {
    const { sim, record, token } = await furnished(t);
    const up = await token('up/stream');
    const down = await token('down/one');
    const get = (target, more = {}) => ask(record, sim.url, 'GET', target, { ...more, headers: { ...up, ...more.headers } });
    const dispatch = (body, more) => ask(
        record, sim.url, 'POST', '/repos/down/one/dispatches', { headers: down, body, ...more },
    );
    assert.equal((await get('/rate_limit')).json().rate.limit, 1_000_000);
    assert.equal((await get('/repos/up/stream')).json().full_name, 'up/stream');
    assert.equal((await get('/repos/no/where')).status, 404);
    const file = await get('/repos/up/stream/contents/dir/list.yml?ref=main');
    assert.equal(Buffer.from(file.json().content, 'base64').toString(), 'L1: []\n');
    const raw = { accept: 'application/vnd.github.raw+json' };
    assert.equal((await get('/repos/up/stream/contents/dir/list.yml', { headers: raw })).body, 'L1: []\n');
    const again = { 'if-none-match': file.headers.etag };
    assert.equal((await get('/repos/up/stream/contents/dir/list.yml', { headers: again })).status, 304);
    assert.equal((await get('/repos/up/stream/contents/none.yml')).status, 404);
    assert.equal((await get('/repos/up/stream/collaborators/ann/permission')).json().role_name, 'maintain');
    assert.equal((await get('/repos/up/stream/collaborators/nobody/permission')).status, 404);
    assert.equal((await get('/repos/up/stream/pulls')).json().length, 2);
    const two = await get('/repos/up/stream/pulls?state=all&per_page=2&sort=updated&direction=asc');
    assert.match(two.headers.link, /rel="next"/);
    assert.equal((await get('/repos/up/stream/pulls?state=ajar', { requestFits: false })).status, 422);
    const pull = (await get('/repos/up/stream/pulls/1')).json();
    assert.equal(pull.merged, true);
    assert.equal((await get('/repos/up/stream/pulls/99')).status, 404);
    const branch = (await get('/repos/up/stream/branches/main')).json();
    assert.equal((await get('/repos/up/stream/commits/main')).json().sha, branch.commit.sha);
    assert.equal((await get('/repos/up/stream/commits/nowhere')).status, 422);
    assert.equal((await get('/repos/up/stream/branches/nowhere')).status, 404);

    assert.equal((await dispatch({ event_type: 'push', client_payload: { a: 1 } })).status, 204);
    assert.equal((await dispatch({}, { requestFits: false })).status, 422);
    assert.equal((await dispatch({ event_type: 'x'.repeat(101) }, { requestFits: false })).status, 422);
    const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, i]));
    assert.equal((await dispatch({ event_type: 'push', client_payload: eleven }, { requestFits: false })).status, 422);
    assert.equal((await dispatch({ event_type: 'push', client_payload: { a: 'x'.repeat(70_000) } })).status, 422);
    await sim.order('POST', '/repos/rename', { repo: 'down/two', to: 'down/deux' });
    assert.equal((await get('/repos/down/two')).status, 301);
    const moved = await ask(
        record, sim.url, 'POST', '/repos/down/two/dispatches', { headers: down, body: { event_type: 'push' } },
    );
    assert.equal(moved.status, 307);
    assert.equal(new URL(moved.headers.location).pathname.split('/')[1], 'repositories');
    assert.deepEqual(record.misfits, []);
    for (const [path, statuses] of Object.entries({
        'GET /rate_limit': [200],
        'GET /repos/{owner}/{repo}': [200, 301, 404],
        'GET /repos/{owner}/{repo}/contents/{path}': [200, 304, 404],
        'GET /repos/{owner}/{repo}/collaborators/{username}/permission': [200, 404],
        'GET /repos/{owner}/{repo}/pulls': [200, 422],
        'GET /repos/{owner}/{repo}/pulls/{pull_number}': [200, 404],
        'GET /repos/{owner}/{repo}/commits/{ref}': [200, 422],
        'GET /repos/{owner}/{repo}/branches/{branch}': [200, 404],
        'POST /repos/{owner}/{repo}/dispatches': [204, 307, 422],
    })) {
        for (const status of statuses) {
            assert.ok(record.seen.includes(`${path} ${status}`), `${path} ${status} was not tried`);
        }
    }
});

test('what is asked about checks, comments and re-runs is answered as described', async (t) => {
    const { sim, record, token } = await furnished(t);
    const up = await token('up/stream');
    const down = await token('down/one');
    const say = (method, target, body, more) => ask(record, sim.url, method, target, { headers: up, body, ...more });
    const repo = '/repos/up/stream';
    const head_sha = (await say('GET', `${repo}/pulls/2`)).json().head.sha;
    const gate = { name: 'crcr/gate', head_sha, status: 'queued', output: { title: 'waiting', summary: 'for npu' } };
    const made = await say('POST', `${repo}/check-runs`, gate);
    assert.equal(made.status, 201, made.body);
    const check = `${repo}/check-runs/${made.json().id}`;
    const ended = { status: 'completed', conclusion: 'neutral', completed_at: '2026-11-15T13:30:00Z' };
    assert.equal((await say('PATCH', check, ended)).json().conclusion, 'neutral');
    assert.equal((await say('PATCH', check, { status: 'in_progress' })).json().conclusion, null);
    assert.equal((await say('GET', check)).json().status, 'in_progress');
    const listed = await say('GET', `${repo}/commits/${head_sha}/check-runs?check_name=crcr%2Fgate&filter=latest`);
    assert.equal(listed.json().total_count, 1);
    assert.equal((await say('GET', `${repo}/commits/${head_sha}/check-suites`)).json().total_count, 1);

    const comments = `${repo}/issues/2/comments`;
    const comment = await say('POST', comments, { body: 'hello' });
    assert.equal(comment.status, 201, comment.body);
    const changed = await say('PATCH', `${repo}/issues/comments/${comment.json().id}`, { body: 'changed' });
    assert.equal(changed.json().body, 'changed');
    assert.equal((await say('POST', comments, {}, { requestFits: false })).status, 422);
    assert.equal((await say('POST', `${repo}/issues/99/comments`, { body: 'x' })).status, 404);
    await sim.order('POST', '/comments', { repo: 'up/stream', number: 2, by: 'ann', text: '@baton status' });
    assert.equal((await say('GET', comments)).json().length, 2);
    assert.equal((await say('GET', `${repo}/issues/99/comments`)).status, 404);

    const script = { repo: 'down/one', script: 'fail', callback_url: 'http://127.0.0.1:1/', queue_ms: 0, work_ms: 0 };
    await sim.order('POST', '/scripts', script);
    const payload = { event_type: 'push', client_payload: { delivery_id: 'd-1', payload: {} } };
    assert.equal((await say('POST', '/repos/down/one/dispatches', payload, { headers: down })).status, 204);
    const runs = async () => (await sim.order('GET', '/runs?repo=down/one')).runs;
    await eventually('a run that has failed', async () => (await runs())[0]?.status === 'completed');
    const [{ run_id }] = await runs();
    const again = `/repos/down/one/actions/runs/${run_id}`;
    assert.equal((await say('POST', `${again}/rerun-failed-jobs`, undefined, { headers: down })).status, 201);
    await eventually('its second end', async () => (await runs())[0].status === 'completed');
    assert.equal((await say('POST', `${again}/rerun`, undefined, { headers: down })).status, 201);
    assert.equal((await runs())[0].run_attempt, 3);
    assert.deepEqual(record.misfits, []);
    for (const expected of [
        'POST /repos/{owner}/{repo}/check-runs 201', 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id} 200',
        'GET /repos/{owner}/{repo}/check-runs/{check_run_id} 200',
        'GET /repos/{owner}/{repo}/commits/{ref}/check-runs 200', 'GET /repos/{owner}/{repo}/commits/{ref}/check-suites 200',
        'POST /repos/{owner}/{repo}/issues/{issue_number}/comments 201',
        'POST /repos/{owner}/{repo}/issues/{issue_number}/comments 422',
        'GET /repos/{owner}/{repo}/issues/{issue_number}/comments 200',
        'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id} 200',
        'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun 201',
        'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs 201',
    ]) {
        assert.ok(record.seen.includes(expected), `${expected} was not tried`);
    }
});

test('a change that is proposed from a branch is answered as described', async (t) => {
    const { sim, record, token } = await furnished(t);
    const headers = await token('up/stream');
    const say = (method, target, body, more) => ask(record, sim.url, method, target, { headers, body, ...more });
    const repo = '/repos/up/stream';
    const { sha } = (await say('GET', `${repo}/commits/main`)).json();
    const branch = { ref: 'refs/heads/baton/change', sha };
    assert.equal((await say('POST', `${repo}/git/refs`, branch)).status, 201);
    assert.equal((await say('POST', `${repo}/git/refs`, branch)).status, 422);
    const file = `${repo}/contents/dir/list.yml`;
    const known = (await say('GET', `${file}?ref=baton%2Fchange`)).json();
    const change = { message: 'up', content: Buffer.from('L2: []\n').toString('base64'), branch: 'baton/change' };
    assert.equal((await say('PUT', file, change)).status, 422);
    assert.equal((await say('PUT', file, { ...change, sha: known.sha, branch: 'none' })).status, 404);
    assert.equal((await say('PUT', file, { ...change, sha: known.sha })).status, 200);
    assert.equal((await say('PUT', `${repo}/contents/new.yml`, change)).status, 201);
    const pull = { title: 'Raise', head: 'baton/change', base: 'main', body: 'why' };
    const made = await say('POST', `${repo}/pulls`, pull);
    assert.equal(made.status, 201, made.body);
    assert.equal((await say('POST', `${repo}/pulls`, pull)).status, 422);
    const found = await say('GET', `${repo}/pulls?state=all&head=up%3Abaton%2Fchange&per_page=1`);
    assert.equal(found.json()[0].number, made.json().number);
    const { number } = await sim.order('POST', '/issues', { repo: 'up/stream' });
    assert.equal((await say('POST', `${repo}/issues/${number}/comments`, { body: 'hello' })).status, 201);
    const since = '2000-01-01T00:00:00Z';
    assert.equal((await say('GET', `${repo}/issues/${number}/comments?since=${since}`)).json().length, 1);
    assert.deepEqual(record.misfits, []);
    for (const expected of [
        'POST /repos/{owner}/{repo}/git/refs 201', 'POST /repos/{owner}/{repo}/git/refs 422',
        'PUT /repos/{owner}/{repo}/contents/{path} 200', 'PUT /repos/{owner}/{repo}/contents/{path} 201',
        'PUT /repos/{owner}/{repo}/contents/{path} 422',
        'POST /repos/{owner}/{repo}/pulls 201', 'POST /repos/{owner}/{repo}/pulls 422',
    ]) {
        assert.ok(record.seen.includes(expected), `${expected} was not tried`);
    }
});

test('limits and trouble are answered in a form that GitHub describes', async (t) => {
    const { sim, record, token } = await furnished(t);
    const down = await token('down/one');
    const dispatch = () => ask(
        record, sim.url, 'POST', '/repos/down/one/dispatches', { headers: down, body: { event_type: 'push' } },
    );
    await sim.order('POST', '/limits', { points_per_minute: 5 });
    assert.equal((await dispatch()).status, 204);
    const over = await dispatch();
    assert.equal(over.status, 403);
    assert.ok(Number(over.headers['retry-after']) > 0);
    await sim.order('POST', '/limits', { status: 429 });
    assert.equal((await dispatch()).status, 429);
    await sim.order('DELETE', '/limits');
    await sim.order('POST', '/rate_limits', { repo: 'down/one', remaining: 0 });
    const spent = await dispatch();
    assert.equal(spent.status, 403);
    assert.equal(spent.headers['x-ratelimit-remaining'], '0');
    assert.equal((await sim.order('GET', '/limits')).answers.primary, 1);
    assert.deepEqual(record.misfits, []);
});

test('of the paths that Baton uses only new comments and pull requests create content in the sense of GitHub\'s limits', () => {
    const creates = (path, method) => rest.document.paths[path][method]['x-github'].triggersNotification === true;
    assert.ok(creates('/repos/{owner}/{repo}/pulls', 'post'));
    assert.ok(!creates('/repos/{owner}/{repo}/git/refs', 'post'));
    assert.ok(!creates('/repos/{owner}/{repo}/contents/{path}', 'put'));
    assert.ok(!creates('/repos/{owner}/{repo}/dispatches', 'post'));
    assert.ok(!creates('/repos/{owner}/{repo}/check-runs', 'post'));
    assert.ok(!creates('/repos/{owner}/{repo}/issues/comments/{comment_id}', 'patch'));
    assert.ok(creates('/repos/{owner}/{repo}/issues/{issue_number}/comments', 'post'));
});

test('the webhooks that the simulator sends are as GitHub describes them', async (t) => {
    const { sim } = await furnished(t);
    const inbox = await startInbox(t);
    await sim.order('POST', '/webhooks', { url: inbox.url, secret: SECRET });
    const act = (number, action, more) => sim.order(
        'POST', '/pulls/act', { repo: 'up/stream', number, action, by: 'ann', ...more },
    );
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'bob', draft: true });
    await act(4, 'ready_for_review');
    await act(4, 'converted_to_draft');
    await act(4, 'labeled', { label: 'ciflow/crcr/npu' });
    await act(4, 'unlabeled', { label: 'ciflow/crcr/npu' });
    await act(4, 'synchronize');
    const four = { repo: 'up/stream', number: 4 };
    await sim.order('POST', '/checks', { ...four, name: 'lint', app: APP_ID, conclusion: 'failure' });
    await sim.order('POST', '/checks/rerequest', { ...four, name: 'lint', by: 'ann' });
    await sim.order('POST', '/checks/rerequest', { ...four, by: 'ann' });
    await sim.order('POST', '/comments', { ...four, by: 'ann', text: '@baton rerun npu' });
    await sim.order('POST', '/merge_groups', { ...four, by: 'ann' });
    await act(4, 'closed');
    await act(4, 'reopened');
    await act(4, 'merged');
    await sim.order('POST', '/pushes', { repo: 'up/stream', files: { 'a.txt': 'A' } });
    await sim.order('POST', '/pushes', { repo: 'up/stream', ref: 'refs/tags/v1' });
    await sim.order('POST', '/pushes', { repo: 'up/stream', ref: 'refs/tags/v1', deleted: true });
    await sim.order('POST', '/repos/install', { repo: 'down/absent', installed: true });
    await sim.order('POST', '/repos/install', { repo: 'down/one', installed: false });
    await eventually('18 webhooks', () => inbox.letters.length >= 18);
    const wrong = [];
    const seen = new Set();
    for (const { headers, body } of inbox.letters) {
        const payload = JSON.parse(body);
        const event = headers['x-github-event'].replaceAll('_', '-');
        const name = payload.action ? `${event}-${payload.action.replaceAll('_', '-')}` : event;
        seen.add(name);
        const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
        assert.equal(headers['x-hub-signature-256'], signature);
        const schema = ['webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema'];
        wrong.push(...webhooks.misfits(schema, payload).map((each) => `${name}: ${each}`));
    }
    assert.deepEqual([...new Set(wrong)], []);
    assert.deepEqual([...seen].sort(), Object.keys(webhooks.document.webhooks).sort());
});
