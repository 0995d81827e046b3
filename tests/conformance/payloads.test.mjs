// Every example that GitHub publishes of its webhooks, posted to a real relay: none of them upsets it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { eventually, postWebhook, startRelay, startSim } from './lib/processes.mjs';

const require = createRequire(import.meta.url);

/** [event, payload] of each example. */
function examples() {
    const folder = dirname(require.resolve('@octokit/webhooks-examples/package.json'));
    const events = JSON.parse(readFileSync(join(folder, 'api.github.com', 'index.json'), 'utf8'));
    return events.flatMap(({ name, examples: each }) => each.map((payload) => [name, payload]));
}

/** The shapes of SPEC section 6 that a signed webhook with an id can get. */
function kindOf(answer) {
    const body = JSON.parse(answer.text);
    const has = (...fields) => assert.deepEqual(Object.keys(body).sort(), fields.sort(), answer.text);
    if (answer.status === 202) {
        has('ok', 'accepted', 'delivery_id');
        assert.deepEqual([body.ok, body.accepted, body.delivery_id], [true, true, answer.delivery]);
        return 'accepted';
    }
    assert.equal(answer.status, 200, `${answer.status} ${answer.text}`);
    if (body.duplicate) {
        has('ok', 'duplicate');
        assert.equal(body.ok, true);
        return 'duplicate';
    }
    has('ignored', 'reason');
    assert.equal(body.ignored, true);
    assert.ok(body.reason.length > 0);
    return 'ignored';
}

test('every published payload gets an answer of the contract, and the relay is well afterwards', async (t) => {
    const all = examples();
    assert.ok(all.length > 300, `only ${all.length} examples`);
    const upstream = 'Codertocat/Hello-World'; // whom most examples are about
    const sim = await startSim(t);
    for (const repo of [upstream, 'down/one', 'down/two']) {
        await sim.order('POST', '/repos', { repo });
    }
    const text = 'L1:\n  - down/one\n  - down/two: {trust: write}\n';
    await sim.order('POST', '/files', { repo: upstream, path: 'allowlist.yml', text });
    const relay = await startRelay(t, {
        apiUrl: sim.url, keyFile: sim.keyFile, upstream, allowlist: `github:${upstream}/allowlist.yml@main`,
    });

    const counts = { accepted: 0, ignored: 0, duplicate: 0 };
    const accepted = [];
    for (const [event, payload] of all) {
        const answer = await postWebhook(relay.url, event, payload);
        assert.match(answer.type, /^application\/json/);
        const kind = kindOf(answer);
        counts[kind] += 1;
        if (kind === 'accepted') {
            accepted.push([event, payload, answer.delivery]);
        }
    }
    for (const [event, payload, delivery] of accepted) {
        counts[kindOf(await postWebhook(relay.url, event, payload, delivery))] += 1;
    }
    t.diagnostic(`${all.length} examples: ${counts.accepted} accepted, ${counts.ignored} ignored`);
    assert.ok(counts.accepted >= 20, `${counts.accepted} accepted: the examples no longer concern the upstream`);
    assert.equal(counts.duplicate, counts.accepted);
    assert.equal(counts.accepted + counts.ignored, all.length);

    await eventually('something dispatched', async () => (await sim.order('GET', '/dispatches?repo=down/one')).count > 0);
    assert.equal((await fetch(`${relay.url}/healthz`)).status, 200);
    const loud = relay.log().split('\n').filter((line) => /^\S+ (error \S+|\S+ trouble)\b/.test(line));
    assert.deepEqual(loud, []);
    assert.match(relay.log(), /^\S+ info delivery\.planned /m, 'the log was there to be looked at');
});
