import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { backoff, concerns, Gatherer, parseChange } = await load('changes.ts');
const pull = (number) => ({ topic: 'pull', upstream: 'a/b', number, downstream: 'c/d' });

test('a change concerns whom it names', () => {
  const interest = { topics: ['pull'], upstream: 'a/b', number: 1 };
  assert.equal(concerns(interest, pull(1)), true);
  assert.equal(concerns(interest, pull(2)), false);
  assert.equal(concerns(interest, { ...pull(1), upstream: 'x/y' }), false);
  assert.equal(concerns({ topics: ['relay'] }, pull(1)), false);
  assert.equal(concerns({ topics: ['pull', 'downstream'], downstream: 'c/d' }, pull(9)), true);
});

test('changes within a quarter of a second are told once, together', () => {
  const told = [];
  const timers = [];
  const gatherer = new Gatherer(
    (changes) => told.push(changes),
    (run, ms) => timers.push({ run, ms }),
  );
  gatherer.add(pull(1));
  gatherer.add(pull(1));
  gatherer.add(pull(2));
  assert.deepEqual(
    timers.map(({ ms }) => ms),
    [250],
  );
  timers[0].run();
  assert.deepEqual(told, [[pull(1), pull(2)]]);
  gatherer.add(pull(3));
  assert.equal(timers.length, 2);
  timers[1].run();
  assert.deepEqual(told[1], [pull(3)]);
});

test('a change that cannot be read is left out', () => {
  for (const bad of ['', 'null', '[]', '{"topic":1}', '{', '"pull"']) assert.equal(parseChange(bad), null, bad);
  assert.deepEqual(parseChange('{"topic":"relay"}'), { topic: 'relay', upstream: '', number: null, downstream: '' });
});

test('a relay that is away is asked less and less often, and never less than every 15 s', () => {
  assert.deepEqual([1, 2, 3, 4, 5, 50].map(backoff), [1000, 2000, 4000, 8000, 15_000, 15_000]);
});
