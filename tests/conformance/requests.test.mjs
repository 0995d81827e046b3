// Every request that a real relay sends to GitHub, compared with GitHub's description on its way to the simulator.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Description } from './lib/description.mjs';
import { Record, startProxy } from './lib/exchange.mjs';
import { SECRET, ageStore, eventually, startRelay, startSim } from './lib/processes.mjs';

const rest = Description.named('rest');

const ALLOWLIST = `
L1:
  - down/plain
  - down/careful: {trust: write}
  - down/scarce: {trigger: label, device: npu}
  - down/moved
`;

/** What a relay at level L1 asks of GitHub, and what it hears. */
const EXPECTED = [
    'GET /app 200',
    'GET /app/hook/deliveries 200',
    'GET /repos/{owner}/{repo}/installation 200',
    'GET /repos/{owner}/{repo}/installation 301',
    'POST /app/hook/deliveries/{delivery_id}/attempts 202',
    'POST /app/installations/{installation_id}/access_tokens 201',
    'GET /repos/{owner}/{repo}/contents/{path} 200',
    'GET /repos/{owner}/{repo}/contents/{path} 304',
    'GET /repos/{owner}/{repo}/collaborators/{username}/permission 200',
    'POST /repos/{owner}/{repo}/dispatches 204',
    'POST /repos/{owner}/{repo}/dispatches 307',
];

test('a relay asks GitHub nothing that GitHub does not describe', async (t) => {
    const sim = await startSim(t, ['--limits']);
    for (const repo of ['up/stream', 'down/plain', 'down/careful', 'down/scarce', 'down/moved']) {
        await sim.order('POST', '/repos', { repo });
    }
    await sim.order('POST', '/repos/rename', { repo: 'down/moved', to: 'down/here' });
    await sim.order('POST', '/files', { repo: 'up/stream', path: 'allowlist.yml', text: ALLOWLIST });
    await sim.order('POST', '/permissions', { repo: 'up/stream', login: 'ann', permission: 'write' });
    const record = new Record(rest);
    const proxy = await startProxy(record, sim.url);
    t.after(proxy.stop);
    const relay = await startRelay(t, {
        apiUrl: proxy.url,
        keyFile: sim.keyFile,
        upstream: 'up/stream',
        allowlist: 'github:up/stream/allowlist.yml@main',
        more: 'allowlist_refresh: 1s\nrecovery_every: 1s\n',
    });
    await sim.order('POST', '/webhooks', { url: `${relay.url}/github/webhook`, secret: SECRET });

    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann', body_bytes_min: 80_000 });
    const label = { repo: 'up/stream', number: 1, action: 'labeled', by: 'ann', label: 'ciflow/crcr/npu' };
    await sim.order('POST', '/pulls/act', label);
    await sim.order('POST', '/webhooks', { lose: 1 });
    await sim.order('POST', '/pushes', { repo: 'up/stream', files: { 'a.txt': 'A' } }); // comes only when asked for again
    await sim.order('POST', '/webhooks', { lose: 0 });
    // Two pull requests and a push for those who take everything, one label for the one that waits for it.
    const received = async (repo) => (await sim.order('GET', `/dispatches?repo=${repo}`)).count;
    const due = { 'down/plain': 3, 'down/careful': 3, 'down/here': 3, 'down/scarce': 1 };
    for (const [repo, count] of Object.entries(due)) {
        await eventually(`${count} dispatches to ${repo}`, async () => await received(repo) >= count);
    }
    await eventually('everything asked for that a relay asks for', async () => {
        await fetch(`${relay.url}/readyz`);
        return EXPECTED.every((each) => record.seen.includes(each));
    });

    assert.deepEqual(record.misfits, []);
    assert.deepEqual(record.seen, [...EXPECTED].sort());
    const bodies = record.exchanges.filter(({ name, status }) => name.endsWith('/dispatches') && status === 204)
        .map(({ request }) => JSON.parse(request.body));
    assert.ok(bodies.some(({ client_payload: sent }) => sent.baton?.trimmed?.length > 0), 'the long one was trimmed');
    for (const { client_payload: sent } of bodies) {
        assert.ok(JSON.stringify(sent).length < 60_000);
        assert.deepEqual(['callback_token', 'delivery_id', 'event_type', 'payload'].filter((name) => !(name in sent)), []);
    }
    const limits = await sim.order('GET', '/limits');
    assert.deepEqual(limits.answers, { primary: 0, concurrent: 0, points: 0, content: 0, fault: 0 });
    assert.equal(limits.while_limited, 0);
});

test('a relay that was away longer than the delivery log reads the pull requests, as described', async (t) => {
    const sim = await startSim(t);
    for (const repo of ['up/stream', 'down/plain']) {
        await sim.order('POST', '/repos', { repo });
    }
    await sim.order('POST', '/files', { repo: 'up/stream', path: 'allowlist.yml', text: 'L1: [down/plain]\n' });
    const record = new Record(rest);
    const proxy = await startProxy(record, sim.url);
    t.after(proxy.stop);
    const plan = {
        apiUrl: proxy.url, keyFile: sim.keyFile, upstream: 'up/stream', allowlist: 'github:up/stream/allowlist.yml@main',
    };
    const relay = await startRelay(t, plan);
    await sim.order('POST', '/webhooks', { url: `${relay.url}/github/webhook`, secret: SECRET });
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' }); // known, and closed while it is away
    await eventually('the first dispatch', async () => (await sim.order('GET', '/dispatches')).count >= 1);
    await relay.stop();
    ageStore(relay.folder);
    await sim.order('POST', '/webhooks', { paused: true });
    await sim.order('POST', '/pulls/act', { repo: 'up/stream', number: 1, action: 'closed', by: 'ann' });
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    await startRelay(t, { ...plan, folder: relay.folder });
    await eventually('what happened meanwhile, dispatched', async () => (await sim.order('GET', '/dispatches')).count >= 3);
    assert.deepEqual(record.misfits, []);
    for (const expected of ['GET /repos/{owner}/{repo}/pulls 200', 'GET /repos/{owner}/{repo}/pulls/{pull_number} 200']) {
        assert.ok(record.seen.includes(expected), `${expected} was not seen`);
    }
});

test('a relay that is told to wait asks nothing until the time has come', async (t) => {
    const sim = await startSim(t);
    for (const repo of ['up/stream', 'down/plain']) {
        await sim.order('POST', '/repos', { repo });
    }
    await sim.order('POST', '/files', { repo: 'up/stream', path: 'allowlist.yml', text: 'L1: [down/plain]\n' });
    const record = new Record(rest);
    const proxy = await startProxy(record, sim.url);
    t.after(proxy.stop);
    const relay = await startRelay(t, {
        apiUrl: proxy.url, keyFile: sim.keyFile, upstream: 'up/stream', allowlist: 'github:up/stream/allowlist.yml@main',
    });
    await sim.order('POST', '/webhooks', { url: `${relay.url}/github/webhook`, secret: SECRET });
    await sim.order('POST', '/faults', { kind: 'throttle', route: 'dispatches', retry_after_s: 4, times: 1 });
    for (let i = 0; i < 5; ++i) {
        await sim.order('POST', '/pushes', { repo: 'up/stream', ref: `refs/heads/b${i}` });
    }
    await eventually('five dispatches', async () => (await sim.order('GET', '/dispatches')).count >= 5);
    const limits = await sim.order('GET', '/limits');
    assert.equal(limits.answers.fault, 1);
    assert.equal(limits.while_limited, 0, 'GitHub bans Apps that go on asking');
    assert.ok(record.seen.includes('POST /repos/{owner}/{repo}/dispatches 403'));
    // A fault comes without the headers that GitHub itself would send.
    assert.deepEqual(record.misfits.filter((each) => !each.includes('-> 403: answer: no x-ratelimit-')), []);
});

test('what a relay puts on a pull request is as described', async (t) => {
    const sim = await startSim(t);
    for (const repo of ['up/stream', 'down/gate']) {
        await sim.order('POST', '/repos', { repo });
    }
    await sim.order('POST', '/files', {
        repo: 'up/stream', path: 'allowlist.yml', text: 'L4:\n  - down/gate: {device: npu, oncalls: [ann]}\n',
    });
    const record = new Record(rest);
    const proxy = await startProxy(record, sim.url);
    t.after(proxy.stop);
    const relay = await startRelay(t, {
        apiUrl: proxy.url, keyFile: sim.keyFile, upstream: 'up/stream',
        allowlist: 'github:up/stream/allowlist.yml@main', upstreamMore: '    comment: trouble',
        more: 'gate_start: 2s\n',
    });
    await sim.order('POST', '/webhooks', { url: `${relay.url}/github/webhook`, secret: SECRET });
    await sim.order('POST', '/pulls', { repo: 'up/stream', author: 'ann' });
    // Queued with the event; neutral for the silent downstream, and told to its on-call, two seconds later.
    const expected = [
        'POST /repos/{owner}/{repo}/check-runs 201',
        'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id} 200',
        'POST /repos/{owner}/{repo}/issues/{issue_number}/comments 201',
    ];
    await eventually('gate and comment', async () => expected.every((each) => record.seen.includes(each)));
    assert.deepEqual(record.misfits, []);
    const gates = record.exchanges.filter(({ name, status }) => name.endsWith('/check-runs') && status === 201);
    assert.equal(gates.length, 1, 'created once');
});
