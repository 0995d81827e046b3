import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { apart, suggest } = await load('suggest.ts');
const known = { upstreams: ['acme/tensor'], downstreams: ['borealis/tensor-npu', 'helix/hx'] };
const first = (path) => suggest(path, known)[0]?.to;

test('addresses that were meant otherwise lead to their page', () => {
  const table = [
    ['/acme/tensor/pull/4821/files', '/pr/acme/tensor/4821'],
    ['/pulls/acme/tensor/4821', '/pr/acme/tensor/4821'],
    ['/api/v1/pulls/acme/tensor/4821.json', '/pr/acme/tensor/4821'],
    ['/downstream/borealis/tensor-npu', '/b/borealis/tensor-npu'],
    ['/delivery/4d1e2f06-8b3d-11f0', '/deliveries/4d1e2f06-8b3d-11f0'],
    ['/jobs/17', '/job/17'],
    ['/api/v1/dead', '/dead'],
  ];
  for (const [path, to] of table) assert.equal(first(path), to, path);
});

test('a slip of the finger finds its page or its downstream', () => {
  assert.equal(first('/delivereis'), '/deliveries');
  assert.equal(first('/deed'), '/dead');
  assert.equal(first('/borealls'), '/b/borealis/tensor-npu');
});

test('nothing alike suggests nothing, and nothing breaks it', () => {
  assert.deepEqual(suggest('/xyzzyqwerty', known), []);
  assert.deepEqual(suggest('/%E0%A4%A', known), []);
  assert.deepEqual(suggest('/', { upstreams: [], downstreams: [] }), []);
  assert.equal(apart('kitten', 'sitting'), 3);
});
