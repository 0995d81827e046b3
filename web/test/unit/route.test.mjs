import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { changed, choice, hostOf, jobPath, list, ownPage, parse, pathOf, safeLink, testPath } = await load('route.ts');

test('every page goes to its address and back', () => {
  const routes = [
    { page: 'overview' },
    { page: 'pulls' },
    { page: 'deliveries' },
    { page: 'dead' },
    { page: 'help' },
    { page: 'refused' },
    { page: 'allowlist' },
    { page: 'status' },
    { page: 'audit' },
    ...['matrix', 'trends', 'nightly', 'suites', 'benchmarks', 'clusters', 'flaky', 'tests', 'levels'].map((page) => ({ page })),
    ...['quality', 'quality_compare', 'quality_criteria_list'].map((page) => ({ page })),
    { page: 'quality_platform', platform: 'tessera-tx1-linux' },
    { page: 'quality_release', platform: 'a/b', release: '2.14' },
    { page: 'quality_gap', platform: 'gap' },
    { page: 'quality_criteria', set: 'pytorch-cpq', version: '2025.11-124' },
    { page: 'job_history', owner: 'a', repo: 'b' },
    { page: 'level', owner: 'a', repo: 'b' },
    { page: 'cluster', id: '00c0ffee00c0ffee' },
    { page: 'pull', owner: 'acme', repo: 'tensor', number: 12 },
    { page: 'downstream', owner: 'a.b', repo: 'c_d-e' },
    { page: 'job', id: 7 },
    { page: 'delivery', id: 'a/b?c#d %' },
  ];
  for (const route of routes) assert.deepEqual(parse(pathOf(route)), route);
});

test('what is no page is missing, not a crash', () => {
  for (const path of ['/pr/a/b', '/pr/a/b/x', '/pr/a/b/1/2', '/b/a', '/job/x', '/job/1e9', '/nothing', '/%E0%A4%A', '/pr/a/b/-1', '/quality/a/b/c', '/quality/criteria/a', '/quality/criteria/a/b/c'])
    assert.equal(parse(path).page, 'missing', path);
});

test('one view has one address, whatever the order of its controls', () => {
  assert.equal(changed('?b=2&a=1', { c: '3' }), '?a=1&b=2&c=3');
  assert.equal(changed('?c=3', { a: '1', b: '2' }), '?a=1&b=2&c=3');
  assert.equal(changed('?a=1', { a: null }), '');
  assert.equal(changed('?a=1', { a: '' }), '');
});

test('every control round-trips through the address', () => {
  const query = changed('', { window: '30d', open: 'a/b,c/d', author: 'x & y' });
  assert.equal(choice(query, 'window', ['7d', '30d']), '30d');
  assert.deepEqual(list(query, 'open'), ['a/b', 'c/d']);
  assert.equal(new URLSearchParams(query).get('author'), 'x & y');
});

test('a value outside the set counts as the first', () => {
  assert.equal(choice('?window=1000y', 'window', ['7d', '30d']), '7d');
  assert.equal(choice('', 'window', ['7d', '30d']), '7d');
});

test('only http and https become links', () => {
  assert.equal(safeLink('https://ci.example.org/1'), 'https://ci.example.org/1');
  for (const bad of ['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', '//host', 'file:///etc/passwd', '', 'JaVaScRiPt:1'])
    assert.equal(safeLink(bad), null, bad);
});

test('names from elsewhere stay values of the address', () => {
  assert.equal(jobPath('a/b', 'ci & cd', 'x/y?z'), '/b/a/b/job?job=x%2Fy%3Fz&workflow=ci+%26+cd');
  assert.equal(jobPath('a/b', 'ci', ''), '/b/a/b/job?workflow=ci');
  assert.equal(testPath('t::#1'), '/tests?name=t%3A%3A%231');
});

test('only a path on this site is a page of ours', () => {
  assert.equal(ownPage('/clusters/1'), '/clusters/1');
  for (const bad of ['//evil.example', '/\\evil.example', 'javascript:alert(1)', 'https://evil.example', ''])
    assert.equal(ownPage(bad), null, bad);
});

test('a link that leaves names its host, and what is no page of the web has none', () => {
  assert.equal(hostOf('https://buildkite.com/tensor/ci/builds/7#x'), 'buildkite.com');
  assert.equal(hostOf('http://jenkins.example.org:8443/job/a%20b/1/'), 'jenkins.example.org:8443');
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', '/job/1', '']) assert.equal(hostOf(bad), '', bad);
});
