// The checks themselves: what is wrong is reported, so that their silence means something.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Description, withNulls } from './lib/description.mjs';
import { Record, ask, startProxy } from './lib/exchange.mjs';
import { eventually, startRelay, startSim } from './lib/processes.mjs';
import { pruned } from './lib/prune.mjs';

const rest = Description.named('rest');
const LIMITS = {
    'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-used': '1', 'x-ratelimit-reset': '1',
    'x-ratelimit-resource': 'core',
};
const HEAD = { 'user-agent': 'x', authorization: 'Bearer x', accept: 'application/vnd.github+json' };
const JSON_HEAD = { ...HEAD, 'content-type': 'application/json' };
const DISPATCH = { method: 'POST', path: '/repos/a/b/dispatches', headers: JSON_HEAD };
const TOKENS = { method: 'POST', path: '/app/installations/1/access_tokens', headers: JSON_HEAD };

test('a request that does not fit is reported', () => {
    const cases = [
        ['another path', { method: 'GET', path: '/repos/a/b/nonsense', headers: HEAD }, /no such operation/],
        ['another method', { method: 'DELETE', path: '/app', headers: HEAD }, /no such operation/],
        ['no event type', { ...DISPATCH, body: '{}' }, /event_type/],
        ['a long event type', { ...DISPATCH, body: JSON.stringify({ event_type: 'x'.repeat(101) }) }, /100 characters/],
        ['a field too many', { ...DISPATCH, body: '{"event_type":"x","payload":{}}' }, /no field "payload"/],
        ['no JSON', { ...DISPATCH, body: 'x' }, /no JSON/],
        ['no body', { ...DISPATCH, body: '' }, /no body/],
        ['another media type', { ...DISPATCH, headers: { ...HEAD, 'content-type': 'text/plain' }, body: '{}' }, /text\/plain/],
        ['a permission that is none', { ...TOKENS, body: '{"permissions":{"contents":"all"}}' }, /allowed values/],
        ['a body to a GET', { method: 'GET', path: '/app', headers: JSON_HEAD, body: '{}' }, /none is described/],
        ['an unknown query', { method: 'GET', path: '/repos/a/b/pulls', query: 'stat=open', headers: HEAD }, /"stat"/],
        ['an odd query', { method: 'GET', path: '/repos/a/b/pulls', query: 'state=ajar', headers: HEAD }, /\?state/],
        ['no number', { method: 'GET', path: '/app/hook/deliveries', query: 'per_page=x', headers: HEAD }, /per_page/],
        ['nobody', { method: 'GET', path: '/app', headers: { ...HEAD, authorization: '' } }, /no credential/],
        ['no name', { method: 'GET', path: '/app', headers: { ...HEAD, 'user-agent': '' } }, /User-Agent/],
        ['a form that is not there', { method: 'GET', path: '/app', headers: { ...HEAD, accept: 'text/html' } }, /Accept/],
    ];
    for (const [name, request, expected] of cases) {
        assert.match(rest.requestMisfits(request).join('; '), expected, name);
    }
    assert.deepEqual(rest.requestMisfits({ ...DISPATCH, body: '{"event_type":"push"}' }), []);
    assert.deepEqual(rest.requestMisfits({ ...DISPATCH, path: '/repositories/7/dispatches', body: '{"event_type":"push"}' }), []);
});

test('an answer that does not fit is reported', () => {
    const headers = { ...LIMITS, 'content-type': 'application/json; charset=utf-8' };
    const app = { method: 'GET', path: '/app', headers: HEAD };
    const cases = [
        ['an unknown status', app, { status: 418, headers, body: '{}' }, /418 is not described/],
        ['a field missing', app, { status: 200, headers, body: '{"id":1}' }, /required property/],
        ['no JSON', app, { status: 200, headers, body: '<p>' }, /must be object/],
        ['another media type', app, { status: 200, headers: { ...LIMITS, 'content-type': 'text/html' }, body: '' }, /text\/html/],
        ['a body after 204', { ...DISPATCH, body: '{}' }, { status: 204, headers, body: 'x' }, /none is described/],
        ['no limits', app, { status: 401, headers: {}, body: '{"message":"x"}' }, /x-ratelimit-limit/],
        ['an odd refusal', app, { status: 401, headers, body: '["x"]' }, /must be object/],
    ];
    for (const [name, request, answer, expected] of cases) {
        assert.match(rest.answerMisfits(request, answer).join('; '), expected, name);
    }
    assert.deepEqual(rest.answerMisfits(app, { status: 401, headers, body: '{"message":"x"}' }), []);
});

test('an answer that is spoilt on its way to a relay is reported', async (t) => {
    const sim = await startSim(t);
    await sim.order('POST', '/repos', { repo: 'up/stream' });
    const record = new Record(rest);
    const spoilt = (answer, request) => request.url.endsWith('/installation')
        ? { ...answer, body: answer.body.replace('"access_tokens_url"', '"access_token_url"') } : answer;
    const proxy = await startProxy(record, sim.url, spoilt);
    t.after(proxy.stop);
    const fresh = new Record(rest);
    await ask(fresh, proxy.url, 'GET', '/repos/up/stream/installation', { headers: { authorization: 'Bearer x' } });
    assert.deepEqual(fresh.misfits, [], 'a refusal has nothing to spoil');
    const asked = record.exchanges.length;
    await startRelay(t, {
        apiUrl: proxy.url, keyFile: sim.keyFile, upstream: 'up/stream', allowlist: 'github:up/stream/allowlist.yml@main',
    });
    await eventually('the spoilt answer reported', () => record.misfits.length > 0);
    assert.ok(record.exchanges.length > asked);
    assert.match(record.misfits.join('\n'), /required property 'access_tokens_url'/);
});

test('null is taken only where the description says so', () => {
    assert.deepEqual(withNulls({ type: 'string', nullable: true }), { anyOf: [{ type: 'null' }, { type: 'string' }] });
    assert.deepEqual(withNulls({ properties: { a: { type: 'string' } } }), { properties: { a: { type: 'string' } } });
});

test('pruning keeps what is referred to, and fields that are called like prose', () => {
    const document = {
        openapi: '3.0.3',
        paths: {
            '/a': { get: { description: 'words', responses: { 200: { $ref: '#/components/responses/r' } } } },
            '/b': { get: {} },
        },
        components: {
            responses: { r: { content: { 'application/json': { schema: { $ref: '#/components/schemas/s' } } } } },
            schemas: { s: { title: 'S', properties: { description: { type: 'string', description: 'words' } } }, unused: {} },
        },
    };
    const out = pruned(document, { package: 'p', version: '1', section: 'paths', keep: { '/a': ['get'] } });
    assert.deepEqual(Object.keys(out.paths), ['/a']);
    assert.deepEqual(out.components.schemas, { s: { properties: { description: { type: 'string' } } } });
    const unknown = { package: 'p', version: '1', section: 'paths', keep: { '/c': ['get'] } };
    assert.throws(() => pruned(document, unknown), /does not know \/c/);
});
