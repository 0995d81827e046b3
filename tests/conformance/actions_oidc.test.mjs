// The simulator as the issuer of Actions' identity tokens: a client library that knows nothing of it finds its keys,
// verifies its tokens, and goes on through a change of keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';

import { startSim } from './lib/processes.mjs';

const AUDIENCE = 'pytorch-cross-repo-ci-relay';

/** What a job's token helper does with the environment that Actions gives it. */
async function tokenOf(run, audience = AUDIENCE) {
    const url = `${run.request_url}&audience=${encodeURIComponent(audience)}`;
    const reply = await fetch(url, { headers: { authorization: `bearer ${run.request_token}` } });
    assert.equal(reply.status, 200, await reply.clone().text());
    return (await reply.json()).value;
}

async function furnished(t) {
    const sim = await startSim(t);
    await sim.order('POST', '/repos', { repo: 'down/one' });
    const { issuer } = await sim.order('GET', '/oidc');
    const document = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    assert.equal(document.issuer, issuer, 'a verifier compares them byte for byte');
    assert.equal(new URL(document.jwks_uri).origin, new URL(issuer).origin);
    const keys = createRemoteJWKSet(new URL(document.jwks_uri), { cooldownDuration: 0 });
    const verified = (token) => jwtVerify(token, keys, { issuer, audience: AUDIENCE });
    return { sim, issuer, verified };
}

test('a token of a running job is verified through discovery', async (t) => {
    const { sim, verified } = await furnished(t);
    const run = await sim.order('POST', '/runs', { repo: 'down/one', workflow: 'ci', attempt: 2 });
    const { payload } = await verified(await tokenOf(run));
    assert.equal(payload.repository, 'down/one');
    assert.equal(payload.run_id, String(run.run_id));
    assert.equal(payload.run_attempt, '2');
    assert.match(payload.repository_id, /^[0-9]+$/);
    assert.match(payload.repository_owner_id, /^[0-9]+$/);
    assert.equal(payload.exp - payload.iat, 300);
});

test('a token for somebody else is not', async (t) => {
    const { sim, verified } = await furnished(t);
    const run = await sim.order('POST', '/runs', { repo: 'down/one' });
    const token = await tokenOf(run, 'somebody-else');
    await assert.rejects(verified(token), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
});

test('keys change and both kinds of them verify', async (t) => {
    const { sim, verified } = await furnished(t);
    const run = await sim.order('POST', '/runs', { repo: 'down/one' });
    const before = await tokenOf(run);
    await verified(before);
    await sim.order('POST', '/oidc', { rotate: true, algorithm: 'ES256' });
    const after = await tokenOf(run);
    assert.equal(decodeProtectedHeader(before).alg, 'RS256');
    assert.equal(decodeProtectedHeader(after).alg, 'ES256');
    await verified(after);
    await verified(before);
    await sim.order('POST', '/oidc', { drop: true });
    await sim.order('POST', '/oidc', { rotate: true });
    await verified(await tokenOf(run));
    await assert.rejects(verified(before), { code: 'ERR_JWKS_NO_MATCHING_KEY' });
});

test('an issuer whose clock is off makes tokens from the future', async (t) => {
    const { sim, verified } = await furnished(t);
    await sim.order('POST', '/oidc', { skew_s: 600 });
    const run = await sim.order('POST', '/runs', { repo: 'down/one' });
    await assert.rejects(verified(await tokenOf(run)), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED', claim: 'nbf' });
});
