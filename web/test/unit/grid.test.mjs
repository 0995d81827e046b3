import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { narrowed, rowSentence, runs, step } = await load('grid_rows.ts');
const { chartSentence, daySentence, series } = await load('days.ts');

test('green cells are runs of text and every other cell is an element', () => {
  assert.deepEqual(runs(['success', 'success', 'failure', null, null, 'success']), [
    { kind: 'text', text: '✓\t✓\t' },
    { kind: 'cell', at: 2, outcome: 'failure' },
    { kind: 'text', text: '·\t·\t✓\t' },
  ]);
});

test('a row of 300 green cells is one node', () => {
  assert.equal(runs(Array(300).fill('success')).length, 1);
});

test('two workflows with the same job name are two columns', () => {
  const grid = {
    columns: [
      { workflow: 'ci', job: 'test' },
      { workflow: 'nightly', job: 'test' },
    ],
    rows: [{ number: 1, sha: 'a', cells: ['success', 'failure'], attempts: [1, 1], jobs: [1, 2] }],
  };
  assert.equal(narrowed(grid, 'test', false).columns.length, 2);
  const night = narrowed(grid, 'NIGHTLY', false);
  assert.deepEqual(night.columns, [{ workflow: 'nightly', job: 'test' }]);
  assert.deepEqual(night.rows[0].cells, ['failure']);
  assert.deepEqual(narrowed(grid, 'ci /', true).rows, []);
});

test('a row says itself', () => {
  assert.equal(rowSentence({ number: 7, sha: 'abcdef0123', cells: ['success', 'failure', null] }), 'Pull request 7: 1 failed, 1 passed');
  assert.equal(rowSentence({ number: null, sha: 'abcdef0123', cells: [] }), 'Commit abcdef01: nothing ran');
});

test('arrows go to the nearest cell that is not green', () => {
  const rows = [[2, 9], [], [0, 8]];
  assert.deepEqual(step(rows, { row: 0, column: 2 }, 'ArrowRight'), { row: 0, column: 9 });
  assert.deepEqual(step(rows, { row: 0, column: 9 }, 'ArrowDown'), { row: 2, column: 8 });
  assert.deepEqual(step(rows, { row: 2, column: 0 }, 'ArrowUp'), { row: 0, column: 2 });
  assert.equal(step(rows, { row: 0, column: 2 }, 'ArrowLeft'), null);
  assert.equal(step(rows, { row: 2, column: 8 }, 'ArrowDown'), null);
  assert.equal(step(rows, { row: 0, column: 2 }, 'x'), null);
});

test('a day without runs is a gap, not 0 %', () => {
  const cells = { success: 9, flaky: 0, failure: 1, timed_out: 0, no_signal: 0 };
  const day = (name) => ({ day: name, cells, rate: { value: 0.9, n: 10, low: 0.6, high: 0.98, few: true }, silent: 2 });
  const made = series([day('2026-11-01'), day('2026-11-03')], '2026-11-01T00:00:00.000Z', '2026-11-04T00:00:00.000Z');
  assert.deepEqual(made.rate, [0.9, null, 0.9]);
  assert.deepEqual(made.bad, [3, 0, 3]);
  assert.match(chartSentence(made), /2 of 3 days/);
  assert.equal(daySentence(made, 1), '2026-11-02 UTC: nothing ended.');
});
