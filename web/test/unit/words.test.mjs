import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from './load.mjs';

const { absent, dispatchStates, jobWord, outcomeWord, outcomes, sentence, tally, verdicts } = await load('words.ts');
const { percent, rateTone } = await load('figures.ts');
const { schemas } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url))).components;

test('every outcome of the contract has its own glyph and word', () => {
  assert.deepEqual(Object.keys(outcomes).sort(), [...schemas.Outcome.enum].sort());
  const words = [...Object.values(outcomes), absent];
  assert.equal(new Set(words.map(({ glyph }) => glyph)).size, words.length);
  assert.equal(new Set(words.map(({ word }) => word)).size, words.length);
});

test('every state of a dispatch and every verdict has a word', () => {
  assert.deepEqual(Object.keys(dispatchStates).sort(), [...schemas.BackendOnPull.properties.state.enum].sort());
  assert.deepEqual(Object.keys(verdicts).sort(), [...schemas.Pull.properties.verdict.properties.merge.enum].sort());
});

test('a word from the future is unknown, not a crash', () => {
  assert.equal(outcomeWord('exploded').glyph, '?');
  assert.equal(jobWord({ status: 'in_progress', conclusion: null }).word, 'running');
});

test('a row says the worst first', () => {
  assert.equal(sentence(['success', 'failure', 'success', null, 'running']), '1 failed, 1 running, 2 passed');
  assert.equal(sentence([null]), 'nothing ran');
  assert.deepEqual(tally(['success', 'success']), [{ outcome: 'success', count: 2 }]);
});

test('a rate rounds to 100 % only when nothing failed', () => {
  const table = [
    [1, '100 %'],
    [0.9999, '99.9 %'],
    [0.95, '95.0 %'],
    [0.0001, '0.1 %'],
    [0, '0.0 %'],
    [null, '–'],
  ];
  for (const [value, words] of table) assert.equal(percent(value), words);
});

test('little data has no colour', () => {
  assert.equal(rateTone({ value: 1, n: 3, low: 0.4, high: 1, few: true }), 'none');
  assert.equal(rateTone({ value: 0.95, n: 300, low: 0.9, high: 1, few: false }), 'success');
  assert.equal(rateTone({ value: 0.9, n: 300, low: 0.9, high: 1, few: false }), 'timed_out');
  assert.equal(rateTone({ value: 0.7, n: 300, low: 0.6, high: 0.8, few: false }), 'failure');
});
