// What-if on a page comes to what the relay computed, and follows the same whole numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as examples from '../stand_in/examples.mjs';
import { load } from './load.mjs';

const { attainable, changesIn, changesText, leastPoints, outcomeOf } = await load('quality_score.ts');
const now = Date.UTC(2026, 10, 16);
const releaseOf = (platform, release) => examples.qualityRelease({ now, platform, release });
const tessera = releaseOf('tessera-tx1-linux', '2.14');

test('nothing changed is what the relay says, for every assessment and reading', () => {
  for (const { platform, release } of examples.assessments) {
    const told = releaseOf(platform, release);
    const made = outcomeOf(told, new Map());
    const { score } = told;
    assert.deepEqual([made.proven, made.potential, made.max], [score.proven, score.potential, score.max]);
    assert.deepEqual(made.p0, score.p0);
    for (const [at, reading] of score.readings.entries()) {
      const { total, grade, rank, thresholds } = reading;
      const needs = thresholds.map(({ level, points }) => ({ level, points }));
      assert.deepEqual(made.readings[at], { reading: reading.reading, total, level: grade, rank, needs }, `${platform} ${release}`);
    }
  }
});

test('a threshold is rounded down or exact, never by floating point', () => {
  assert.equal(leastPoints(80, 124, false), 99);
  assert.equal(leastPoints(80, 124, true), 100);
  assert.equal(leastPoints(80, 126, false), 100);
  assert.equal(leastPoints(80, 126, true), 101);
  assert.equal(leastPoints(70, 110, true), 77);
  assert.equal(leastPoints(0, 124, true), 0);
});

test('the worked example: P0 and two more answers are Stable by one reading, by all with two points more', () => {
  const levels = (changes) => outcomeOf(tessera, new Map(changes)).readings.map(({ level }) => level);
  assert.deepEqual(levels([]), ['Unstable', 'Unstable', 'Unstable', 'Unstable']);
  assert.deepEqual(levels([['SW-3', 4], ['FB-1', 4]]), ['Stable', 'Unstable', 'Unstable', 'Unstable']);
  assert.deepEqual(levels([['SW-3', 4], ['CI-4', 4]]), ['Stable', 'Stable', 'Stable', 'Stable']);
  assert.deepEqual(levels([['CI-4', 4], ['TEST-1', 8], ['TEST-2', 8]])[0], 'Unstable', 'points without P0 are not enough');
});

test('an item has only what its kind allows', () => {
  const item = (id) => tessera.items.find(({ criterion }) => criterion.id === id);
  assert.deepEqual(attainable(item('SW-3')), [0, 4]);
  assert.equal(attainable(item('FEAT-2')).at(-1), item('FEAT-2').criterion.max);
  assert.deepEqual(attainable(item('FB-1')), [0, ...item('FB-1').criterion.steps.map(({ points }) => points)]);
});

test('changes live in the address; what cannot be is left out', () => {
  const changes = changesIn('SW-3.4 FB-1.4', tessera.items);
  assert.deepEqual([...changes], [['SW-3', 4], ['FB-1', 4]]);
  assert.equal(changesText(changes), 'SW-3.4 FB-1.4');
  assert.deepEqual([...changesIn('SW-3.3 NO-1.4 SW-3 .4 SW-3.-4 SW-3.1e1 x', tessera.items)], []);
});
