import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { ago, clock, duration, implausible, lasting, stamp } = await load('time.ts');
const now = Date.UTC(2026, 10, 16, 2, 30);

test('an age is told in one unit', () => {
  const table = [
    [0, 'just now'],
    [4_999, 'just now'],
    [12_000, '12 s ago'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [3_599_999, '59 min ago'],
    [3_600_000, '1 h ago'],
    [47 * 3_600_000, '47 h ago'],
    [48 * 3_600_000, '2 d ago'],
    [-240_000, 'in 4 min'],
  ];
  for (const [gap, words] of table) assert.equal(ago(now - gap, now), words);
});

test('a duration keeps what was measured', () => {
  const table = [
    [null, '–'],
    [0, '0 ms'],
    [840, '840 ms'],
    [12_340, '12.3 s'],
    [59_999, '59.9 s'],
    [245_000, '4 min 05 s'],
    [7_800_000, '2 h 10 min'],
    [200_000_000, '2 d 7 h'],
    [-1500, '−1.5 s'],
  ];
  for (const [span, words] of table) assert.equal(duration(span), words);
});

test('a stamp says whose clock it is', () => {
  assert.equal(stamp(now, 'utc'), '2026-11-16 02:30:00 UTC');
  assert.match(stamp(now, 'local'), /^2026-11-1[567] \d\d:\d\d:00 UTC[+−]\d\d:\d\d$/);
  assert.equal(clock(now, 'utc'), '02:30:00');
  assert.equal(stamp(Number.NaN, 'utc'), 'no time');
});

test('1970 and the future are implausible, yesterday is not', () => {
  assert.equal(implausible(0, now), true);
  assert.equal(implausible(Number.NaN, now), true);
  assert.equal(implausible(now + 3_600_000, now), true);
  assert.equal(implausible(now - 86_400_000, now), false);
});

test('what lasts is told by how long, and what just began as just now', () => {
  const now = Date.parse('2026-11-16T12:00:00Z');
  assert.equal(lasting(now - 480_000, now), 'for 8 min');
  assert.equal(lasting(now - 1000, now), 'just now');
});
