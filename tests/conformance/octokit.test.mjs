// The client that GitHub publishes drives the simulator, knowing nothing of it but its address. What passes is compared with
// the description on the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { App } from '@octokit/app';
import { Octokit } from '@octokit/rest';

import { Description } from './lib/description.mjs';
import { Record, startProxy } from './lib/exchange.mjs';
import { startInbox } from './lib/inbox.mjs';
import { APP_ID, SECRET, eventually, startSim } from './lib/processes.mjs';

const rest = Description.named('rest');

async function stage(t, more) {
    const sim = await startSim(t, more);
    for (const repo of ['up/stream', 'down/one']) {
        await sim.order('POST', '/repos', { repo });
    }
    const record = new Record(rest);
    const proxy = await startProxy(record, sim.url);
    t.after(proxy.stop);
    const quiet = { debug() {}, info() {}, warn() {}, error() {} };
    const app = new App({
        appId: APP_ID,
        privateKey: sim.privateKey,
        webhooks: { secret: SECRET },
        Octokit: Octokit.defaults({ baseUrl: proxy.url, log: quiet }),
    });
    const { data: where } = await app.octokit.request('GET /repos/{owner}/{repo}/installation', { owner: 'down', repo: 'one' });
    return { sim, record, app, down: await app.getInstallationOctokit(where.id) };
}

test('Octokit signs in as the App and as its installations', async (t) => {
    const { record, app } = await stage(t);
    assert.equal((await app.octokit.request('GET /app')).data.id, APP_ID);
    const owners = [];
    for await (const { octokit, installation } of app.eachInstallation.iterator()) {
        owners.push(installation.account.login);
        assert.equal((await octokit.request('GET /rate_limit')).status, 200);
    }
    assert.deepEqual(owners.sort(), ['down', 'up']);
    assert.deepEqual(record.misfits, []);
    assert.deepEqual(record.seen, [
        'GET /app 200',
        'GET /app/installations 200',
        'GET /rate_limit 200',
        'GET /repos/{owner}/{repo}/installation 200',
        'POST /app/installations/{installation_id}/access_tokens 201',
    ]);
});

test('Octokit reads files, pull requests and limits, and dispatches', async (t) => {
    const { sim, record, app, down } = await stage(t);
    await sim.order('POST', '/files', { repo: 'up/stream', path: 'list.yml', text: 'L1: []' });
    const { data: where } = await app.octokit.request('GET /repos/{owner}/{repo}/installation', { owner: 'up', repo: 'stream' });
    const up = await app.getInstallationOctokit(where.id);
    const repo = { owner: 'up', repo: 'stream' };
    const { data: file } = await up.rest.repos.getContent({ ...repo, path: 'list.yml' });
    assert.equal(Buffer.from(file.content, 'base64').toString(), 'L1: []');
    for (let i = 0; i < 7; ++i) {
        await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann', title: `change ${i}` });
    }
    const pulls = await up.paginate(up.rest.pulls.list, { ...repo, state: 'all', per_page: 3 });
    assert.deepEqual(pulls.map(({ number }) => number), [7, 6, 5, 4, 3, 2, 1]);
    const { data: pull } = await up.rest.pulls.get({ ...repo, pull_number: 3 });
    assert.equal(pull.title, 'change 2');
    const { data: commit } = await up.rest.repos.getCommit({ ...repo, ref: pull.head.sha });
    assert.equal(commit.sha, pull.head.sha);
    const { data: branch } = await up.rest.repos.getBranch({ ...repo, branch: 'main' });
    assert.equal(branch.commit.sha, pull.base.sha);
    const { data: may } = await up.rest.repos.getCollaboratorPermissionLevel({ ...repo, username: 'ann' });
    assert.equal(may.permission, 'read');
    const { data: limits } = await up.rest.rateLimit.get();
    assert.ok(limits.resources.core.used > 0);

    const sent = { owner: 'down', repo: 'one', event_type: 'push', client_payload: { delivery_id: 'd-1' } };
    assert.equal((await down.rest.repos.createDispatchEvent(sent)).status, 204);
    assert.equal((await sim.order('GET', '/dispatches?repo=down/one&delivery=d-1')).count, 1);
    await assert.rejects(down.rest.repos.createDispatchEvent({ ...sent, event_type: 'x'.repeat(101) }), { status: 422 });
    const fits = (each) => !each.includes('must NOT have more than 100 characters'); // that one was meant
    assert.deepEqual(record.misfits.filter(fits), []);
});

test('Octokit writes checks and comments and lists them', async (t) => {
    const { sim, record, app } = await stage(t);
    const { data: where } = await app.octokit.request('GET /repos/{owner}/{repo}/installation', { owner: 'up', repo: 'stream' });
    const up = await app.getInstallationOctokit(where.id);
    const repo = { owner: 'up', repo: 'stream' };
    const { head_sha } = await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    await sim.order('POST', '/protection', { repo: 'up/stream', checks: ['crcr/gate'] });
    const { data: check } = await up.rest.checks.create({ ...repo, head_sha, name: 'crcr/gate', status: 'in_progress' });
    const mergeable = () => sim.order('GET', '/mergeable?repo=up/stream&number=1');
    assert.deepEqual((await mergeable()).waiting_for, ['crcr/gate']);
    await up.rest.checks.update({ ...repo, check_run_id: check.id, conclusion: 'success' });
    assert.equal((await mergeable()).mergeable, true);
    const { data: listed } = await up.rest.checks.listForRef({ ...repo, ref: head_sha });
    assert.deepEqual(listed.check_runs.map(({ name, conclusion }) => [name, conclusion]), [['crcr/gate', 'success']]);
    for (let i = 0; i < 5; ++i) {
        await up.rest.issues.createComment({ ...repo, issue_number: 1, body: `comment ${i}` });
    }
    const comments = await up.paginate(up.rest.issues.listComments, { ...repo, issue_number: 1, per_page: 2 });
    assert.equal(comments.length, 5);
    await up.rest.issues.updateComment({ ...repo, comment_id: comments[0].id, body: 'changed' });
    assert.equal((await sim.order('GET', '/comments?repo=up/stream&number=1')).comments[0].text, 'changed');
    await assert.rejects(up.rest.actions.reRunWorkflow({ ...repo, run_id: 5 }), { status: 404 });
    assert.deepEqual(record.misfits, []);
});

test('Octokit follows a repository that was renamed', async (t) => {
    const { sim, down } = await stage(t);
    await sim.order('POST', '/repos/rename', { repo: 'down/one', to: 'down/uno' });
    const { data } = await down.rest.repos.get({ owner: 'down', repo: 'one' });
    assert.equal(data.full_name, 'down/uno');
});

test('Octokit walks the delivery log and has a webhook sent again', async (t) => {
    const { sim, record, app } = await stage(t);
    const inbox = await startInbox(t);
    await sim.order('POST', '/webhooks', { url: inbox.url, secret: SECRET });
    for (let i = 0; i < 5; ++i) {
        await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    }
    const walk = () => app.octokit.paginate('GET /app/hook/deliveries', { per_page: 2 });
    await eventually('five deliveries in the log', async () => (await walk()).length === 5);
    const [newest] = await walk();
    const delivery_id = newest.id;
    const { data: detail } = await app.octokit.request('GET /app/hook/deliveries/{delivery_id}', { delivery_id });
    assert.equal(detail.guid, newest.guid);
    assert.equal(detail.request.payload.action, 'opened');
    assert.equal(detail.response.payload, '{}');
    const again = await app.octokit.request('POST /app/hook/deliveries/{delivery_id}/attempts', { delivery_id });
    assert.equal(again.status, 202);
    await eventually('the redelivery in the log', async () => (await walk()).length === 6);
    const [last] = await walk();
    assert.deepEqual([last.guid, last.redelivery, last.status_code], [newest.guid, true, 202]);
    const [first, second] = inbox.letters.filter(({ headers }) => headers['x-github-delivery'] === newest.guid);
    assert.equal(second.body, first.body);
    assert.deepEqual(record.misfits, []);
});

test('Octokit meets the limits as it would meet GitHub\'s', async (t) => {
    const { sim, down } = await stage(t, ['--limits', '--calls-per-hour', '3']);
    const repo = { owner: 'down', repo: 'one' };
    await down.rest.repos.get(repo);
    await down.rest.repos.get(repo);
    const { headers } = await down.rest.repos.get(repo);
    assert.equal(headers['x-ratelimit-remaining'], '0');
    await assert.rejects(down.rest.repos.get(repo), (error) => {
        assert.equal(error.status, 403);
        assert.match(error.message, /API rate limit exceeded for installation ID/);
        assert.equal(error.response.headers['x-ratelimit-remaining'], '0');
        return true;
    });
    assert.equal((await sim.order('GET', '/limits')).answers.primary, 1);
});
