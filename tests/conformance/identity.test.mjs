// Tokens that others made, as Baton reads them: those of oidc-provider, a certified OpenID provider, through its own
// discovery document, key set and token endpoint; and those of jose, good ones and every kind of bad one.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { SignJWT, UnsecuredJWT, base64url, exportJWK, exportSPKI, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

import { eventually, startRelay, startSim, temporaryFolder } from './lib/processes.mjs';

const IDENTIFY = join(dirname(process.env.BATON), 'identify'); // built beside it; see CMakeLists.txt
const AUDIENCE = 'relay';
const WAIT_MS = 60_000;
const CLAIMS = {
    repository: 'org/backend', repository_id: '42', repository_owner_id: '7', run_id: '1001', run_attempt: '1',
};
const RETURN_TO = 'https://client.example/back';

/** A server on loopback that answers with `handler`, which may be changed; gone with the test. */
async function listening(t) {
    const site = { handler: (_, reply) => reply.writeHead(404).end('{}'), asked: [] };
    const server = createServer((request, reply) => {
        site.asked.push(request.url);
        site.handler(request, reply);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => { server.closeAllConnections(); server.close(); });
    site.url = `http://127.0.0.1:${server.address().port}`;
    return site;
}

/** The program under test; resolves each token to what it says of it. */
function identifying(t, issuer) {
    const child = spawn(IDENTIFY, [issuer, AUDIENCE], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    t.after(async () => {
        child.stdin.end();
        await once(child, 'exit', { signal: AbortSignal.timeout(WAIT_MS) });
    });
    return async (token) => {
        child.stdin.write(`${token}\n`);
        const { value } = await lines.next();
        return JSON.parse(value);
    };
}

const goodCaller = { repo: 'org/backend', run_id: '1001', ids: [42, 7] };

function refused(answer, why) {
    assert.equal(answer.code, 'unauthenticated', JSON.stringify(answer));
    assert.match(answer.detail, why);
}

/** A key with its public half as a member of a key set. */
async function keyFor(alg, kid, options = {}) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, ...options });
    return {
        alg, kid, publicKey, privateKey,
        jwk: { ...await exportJWK(publicKey), kid, alg, use: 'sig' },
        privateJwk: { ...await exportJWK(privateKey), kid, alg, use: 'sig' },
    };
}

// --- oidc-provider -----------------------------------------------------------------------------------------------

function providerAt(site, key) {
    const provider = new Provider(site.url, {
        jwks: { keys: [key.privateJwk] },
        clients: [{
            client_id: AUDIENCE, client_secret: 'a secret', redirect_uris: [RETURN_TO],
            id_token_signed_response_alg: key.alg,
        }],
        claims: { openid: ['sub', ...Object.keys(CLAIMS)] },
        conformIdTokenClaims: false,
        findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...CLAIMS }) }),
        features: { devInteractions: { enabled: false } },
        cookies: { keys: ['a secret'] },
        ttl: { IdToken: 300, AccessToken: 300, AuthorizationCode: 60, Grant: 300 },
        pkce: { required: () => false },
    });
    site.handler = provider.callback();
    return provider;
}

/** Somebody signed in and agreed; the rest is the provider's own token endpoint. */
async function tokenFrom(provider, site) {
    const grant = new provider.Grant({ accountId: 'ci', clientId: AUDIENCE });
    grant.addOIDCScope('openid');
    const code = new provider.AuthorizationCode({
        accountId: 'ci', client: await provider.Client.find(AUDIENCE), grantId: await grant.save(), gty: 'authorization_code',
        redirectUri: RETURN_TO, scope: 'openid', authTime: Math.floor(Date.now() / 1000), sessionUid: randomUUID(),
    });
    const reply = await fetch(`${site.url}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${AUDIENCE}:a%20secret`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'authorization_code', code: await code.save(), redirect_uri: RETURN_TO }),
    });
    const body = await reply.json();
    assert.equal(reply.status, 200, JSON.stringify(body));
    return body.id_token;
}

for (const alg of ['RS256', 'ES256']) {
    test(`a certified provider's ${alg} token is taken, also after it changed its key`, async (t) => {
        const site = await listening(t);
        const first = providerAt(site, await keyFor(alg, 'first'));
        const identify = identifying(t, site.url);
        const token = await tokenFrom(first, site);
        assert.deepEqual(await identify(token), goodCaller);
        refused(await identify(`${token.slice(0, -6)}AAAAAA`), /signature/);

        const second = providerAt(site, await keyFor(alg, 'second'));
        assert.deepEqual(await identify(await tokenFrom(second, site)), goodCaller);
        refused(await identify(token), /does not publish/);
        assert.deepEqual([...new Set(site.asked)].sort(), ['/.well-known/openid-configuration', '/jwks', '/token']);
    });
}

// --- jose --------------------------------------------------------------------------------------------------------

const now = () => Math.floor(Date.now() / 1000);

/** An issuer with these keys and no discovery document, as Actions had it once. */
async function issuerWith(t, keys) {
    const site = await listening(t);
    const jwks = JSON.stringify({ keys: keys.map((key) => key.jwk) });
    site.handler = ({ url }, reply) => (url === '/.well-known/jwks' ? reply.end(jwks) : reply.writeHead(404).end('{}'));
    return site;
}

const signed = (key, issuer, claims = {}, header = {}) => new SignJWT({
    iss: issuer, aud: AUDIENCE, iat: now(), nbf: now() - 5, exp: now() + 300, ...CLAIMS, ...claims,
}).setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header }).sign(key.privateKey);

test('what jose signs is taken', async (t) => {
    const keys = [
        await keyFor('RS256', 'r'), await keyFor('ES256', 'e'), await keyFor('RS256', 'long', { modulusLength: 4096 }),
        await keyFor('ES384', 'other'), await keyFor('EdDSA', 'modern'), await keyFor('PS256', 'padded'),
    ];
    const { url } = await issuerWith(t, keys);
    const identify = identifying(t, url);
    for (const key of keys.slice(0, 3)) {
        assert.deepEqual(await identify(await signed(key, url)), goodCaller, key.kid);
        assert.deepEqual(await identify(await signed(key, url, { aud: ['other', AUDIENCE] })), goodCaller, key.kid);
    }
    for (const key of keys.slice(3)) {
        refused(await identify(await signed(key, url)), /RS256 or ES256/);
    }
});

test('what jose signs for somebody else, or wrongly, is refused with the reason', async (t) => {
    const rsa = await keyFor('RS256', 'r');
    const elliptic = await keyFor('ES256', 'e');
    const stranger = await keyFor('RS256', 'r');
    const { url } = await issuerWith(t, [rsa, elliptic]);
    const identify = identifying(t, url);
    assert.deepEqual(await identify(await signed(rsa, url)), goodCaller);

    const bad = [
        [signed(stranger, url), /signature is wrong/],
        [signed({ ...elliptic, kid: 'r' }, url), /is for RS256/],
        [signed({ ...rsa, kid: 'e' }, url), /is for ES256/],
        [signed(rsa, 'https://evil.example'), /issuer/],
        [signed(rsa, `${url}/`), /issuer/],
        [signed(rsa, url, { aud: 'other' }), /audience/],
        [signed(rsa, url, { aud: [] }), /audience/],
        [signed(rsa, url, { exp: now() - 120 }), /expired/],
        [signed(rsa, url, { nbf: now() + 120 }), /not valid before/],
        [signed(rsa, url, { iat: now() + 86_400 }), /future/],
        [signed(rsa, url, {}, { kid: undefined }), /kid/],
        [signed(rsa, url, {}, { typ: 'at+jwt' }), /typ/],
        [signed(rsa, url, { repository_id: undefined }), /repository_id/],
        [new UnsecuredJWT({ iss: url, aud: AUDIENCE, exp: now() + 300, ...CLAIMS }).encode(), /no signature/],
    ];
    for (const [token, why] of bad) {
        refused(await identify(await token), why);
    }
    for (const late of [{ exp: now() - 30 }, { nbf: now() + 30 }, { iat: now() + 30 }]) {
        assert.deepEqual(await identify(await signed(rsa, url, late)), goodCaller, 'a minute of skew is no fault');
    }
});

test('a public key is nobody\'s secret', async (t) => {
    const rsa = await keyFor('RS256', 'r');
    const { url } = await issuerWith(t, [rsa]);
    const identify = identifying(t, url);
    const [, claims] = (await signed(rsa, url)).split('.');
    const header = base64url.encode(JSON.stringify({ alg: 'HS256', kid: 'r', typ: 'JWT' }));
    for (const secret of [await exportSPKI(rsa.publicKey), JSON.stringify(rsa.jwk), rsa.jwk.n, '']) {
        const mac = createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url');
        refused(await identify(`${header}.${claims}.${mac}`), /RS256 or ES256/);
    }
});

test('an issuer that goes away leaves its known keys in force', async (t) => {
    const known = await keyFor('ES256', 'known');
    const site = await issuerWith(t, [known]);
    const identify = identifying(t, site.url);
    assert.deepEqual(await identify(await signed(known, site.url)), goodCaller);
    site.handler = (_, reply) => reply.writeHead(503).end('{}');
    assert.deepEqual(await identify(await signed(known, site.url)), goodCaller);
    const unknown = await identify(await signed(await keyFor('ES256', 'unknown'), site.url));
    assert.equal(unknown.code, 'unavailable', 'it may be a new key: nobody can tell');
    assert.deepEqual(await identify(await signed(known, site.url)), goodCaller);
});

// --- a real relay ------------------------------------------------------------------------------------------------

/** A relay that believes the issuer and lists the repository; posts a callback with a token, or without one. */
async function relayBelieving(t, issuer, level = 'L2') {
    const sim = await startSim(t);
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'allowlist.yml'), `${level}: [org/backend]\n`);
    const relay = await startRelay(t, {
        apiUrl: sim.url, keyFile: sim.keyFile, upstream: 'up/stream', allowlist: 'file:allowlist.yml', folder,
        more: `oidc:\n  audience: ${AUDIENCE}\n  issuers: [{issuer: "${issuer}", kind: github-actions}]\n`,
    });
    return async (token, path = '/github/callback') => {
        const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
        const reply = await fetch(`${relay.url}${path}`, { method: 'POST', headers, body: '{}' });
        return { status: reply.status, text: await reply.text() };
    };
}

test('a relay takes a certified provider\'s token and judges the rest by status', async (t) => {
    const site = await listening(t);
    const provider = providerAt(site, await keyFor('RS256', 'first'));
    const post = await relayBelieving(t, site.url);
    const token = await tokenFrom(provider, site);
    for (const path of ['/github/callback', '/github/callback/']) {
        const known = await post(token, path);
        assert.equal(known.status, 400, `it was let in, and its body says nothing: ${known.text}`);
    }
    assert.equal((await post()).status, 401);
    const forged = await post(`${token.slice(0, -6)}AAAAAA`);
    assert.equal(forged.status, 401);
    assert.match(forged.text, /signature/);
    assert.doesNotMatch(forged.text, new RegExp(token.slice(0, 20)));
});

test('a relay whose issuer is away asks to come back later', async (t) => {
    const site = await listening(t);
    site.handler = (_, reply) => reply.writeHead(503).end('{}');
    const post = await relayBelieving(t, site.url);
    const key = await keyFor('ES256', 'k');
    await eventually('the relay to know that the keys cannot be had', async () => {
        const { status } = await post(await signed(key, site.url));
        return status === 503;
    });
});
