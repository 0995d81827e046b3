import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { find } = await load('finder.ts');
const known = { upstreams: ['acme/tensor', 'acme/vision'], downstreams: ['borealis/tensor-npu', 'helix/hx'] };
const to = (text) => find(text, known).map((found) => found.to);

test('a number is a pull request of every upstream', () => {
  assert.deepEqual(to('#42'), ['/pr/acme/tensor/42', '/pr/acme/vision/42']);
});

test('a pull request is found by its name and by its address', () => {
  for (const text of ['acme/tensor#42', 'https://github.com/acme/tensor/pull/42', ' https://github.com/acme/tensor/pull/42/files '])
    assert.equal(to(text)[0], '/pr/acme/tensor/42');
});

test('deliveries, jobs, repositories and pages are found', () => {
  assert.deepEqual(to('4d1e2f06-8b3d-11f0-42ce-fbcb54f504d6'), ['/deliveries/4d1e2f06-8b3d-11f0-42ce-fbcb54f504d6']);
  assert.deepEqual(to('job 17'), ['/job/17']);
  assert.deepEqual(to('NPU'), ['/b/borealis/tensor-npu']);
  assert.deepEqual(to('dead'), ['/dead']);
  assert.deepEqual(to('flaky'), ['/flaky']);
  assert.deepEqual(to('night'), ['/nightly']);
  assert.deepEqual(to('no such thing'), []);
  assert.equal(to('')[0], '/');
});

test('a cluster is found by its id and a test by its name', () => {
  assert.deepEqual(to('00C0FFEE00c0ffee'), ['/clusters/00c0ffee00c0ffee']);
  assert.deepEqual(to('test_ops.TestCommon::test_add'), ['/tests?name=test_ops.TestCommon%3A%3Atest_add']);
  assert.deepEqual(to('test smoke'), ['/tests?name=smoke']);
});
