import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { joined, near } = await load('more.ts');
const ways = { keyOf: ({ name }) => name, atOf: ({ at }) => at };
const row = (name, at) => ({ name, at });
const names = (rows) => rows.map(({ name }) => name).join('');

test('what newer rows pushed off the first page stays behind it', () => {
  assert.equal(names(joined([row('d', '9'), row('c', '8')], [row('c', '8'), row('b', '7'), row('a', '6')], ways)), 'dcba');
});

test('what should stand on the first page and does not is gone', () => {
  assert.equal(names(joined([row('d', '9'), row('b', '5')], [row('c', '8'), row('b', '5'), row('a', '4')], ways)), 'dba');
  assert.equal(names(joined([], [row('a', '4')], ways)), '');
});

test('a row stands once, where it is newest', () => {
  assert.equal(names(joined([row('a', '9')], [row('b', '7'), row('a', '6'), row('b', '5')], ways)), 'ab');
});

test('only blocks near the screen are drawn, and the rest keeps its height', () => {
  const all = near(1000, () => 100, 50_000, 51_000);
  assert.deepEqual(all, { from: 499, until: 511, above: 49_900, below: 48_900 });
  for (const [top, bottom] of [
    [-500, 600],
    [0, 0],
    [99_900, 101_000],
    [500_000, 501_000],
  ]) {
    const part = near(1000, () => 100, top, bottom);
    assert.equal(part.above + part.below + (part.until - part.from) * 100, 100_000, `${top}`);
    assert.ok(part.until > part.from, 'something is always drawn');
  }
});

test('blocks as high as they were measured keep the others where they are', () => {
  const part = near(4, (block) => (block === 0 ? 1000 : 100), 1050, 1120);
  assert.deepEqual(part, { from: 1, until: 3, above: 1000, below: 100 });
});
