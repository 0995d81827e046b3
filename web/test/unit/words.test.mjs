import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from './load.mjs';

const { absent, dispatchStanding, dispatchStates, jobWord, mergeSentence, outcomeWord, outcomes, sentence, silentDispatch, tally, verdicts } = await load('words.ts');
const { measure, moreOrLess, percent, points, rateTone } = await load('figures.ts');
const { againstBase, marks, nightWord, whose } = await load('failure_words.ts');
const ladder = await load('level_words.ts');
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

test('what became of an event is told apart by letter and by word', () => {
  const words = [...Object.values(dispatchStates), silentDispatch];
  assert.equal(new Set(words.map(({ glyph }) => glyph)).size, words.length);
  assert.equal(new Set(words.map(({ word }) => word)).size, words.length);
});

test('a dispatch that nobody answered is silent, whatever the ledger calls its end', () => {
  const table = [
    [{ state: 'finished', reason: 'silent: no start within 30 min', jobs: [] }, 'silent', 'timed_out'],
    [{ state: 'finished', reason: 'superseded before it started', jobs: [] }, 'superseded', 'none'],
    [{ state: 'finished', reason: '', jobs: [{ conclusion: 'success' }] }, 'answered', 'success'],
    [{ state: 'finished', reason: '', jobs: [{ conclusion: 'success' }, { conclusion: 'failure' }] }, 'answered', 'failure'],
    [{ state: 'sent', reason: '', jobs: [] }, 'sent', 'waiting'],
    [{ state: 'dead', reason: '', jobs: [] }, 'given up', 'failure'],
  ];
  for (const [dispatch, word, tone] of table) {
    assert.equal(dispatchStanding(dispatch).word, word);
    assert.equal(dispatchStanding(dispatch).tone, tone);
  }
});

test('what decides about a merge is said in a sentence that needs no glossary', () => {
  assert.equal(mergeSentence(['neutral', 'neutral', 'neutral']), 'Of 3 downstreams that count for merging, 3 ended without a verdict.');
  assert.equal(mergeSentence(['success', 'failure', 'silent']), 'Of 3 downstreams that count for merging, 1 failed, 1 silent and 1 passed.');
  assert.equal(mergeSentence(['success']), 'Of 1 downstream that counts for merging, 1 passed.');
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

test('every verdict, comparison and mark of the contract has its own word', () => {
  assert.deepEqual(Object.keys(whose).sort(), [...schemas.Verdict.enum].sort());
  assert.deepEqual(Object.keys(againstBase).sort(), [...schemas.AgainstBase.properties.state.enum].sort());
  assert.deepEqual(Object.keys(marks).sort(), [...schemas.BenchmarkMark.enum].sort());
  for (const words of [whose, againstBase, marks])
    assert.equal(new Set(Object.values(words).map(({ word }) => word)).size, Object.keys(words).length);
  for (const outcome of schemas.NightlyDay.properties.outcome.enum) assert.notEqual(nightWord(outcome).glyph, '?', outcome);
});

test('differences have a sign, and a benchmark is no longer than needed', () => {
  assert.deepEqual([0.082, -0.0314, 0].map(points), ['+8.2 points', '−3.1 points', '±0.0 points']);
  assert.deepEqual([0.19, -0.055, 0].map(moreOrLess), ['+19.0 %', '−5.5 %', '±0.0 %']);
  assert.deepEqual([1240.4, 14.2345, 0.00012345].map(measure), ['1,240', '14.23', '0.0001234']);
});

test('every word of the ladder that the contract knows has words here', () => {
  const table = [
    [ladder.states, schemas.LevelState],
    [ladder.moves, schemas.LevelMove],
    [ladder.met, schemas.LevelMet],
    [ladder.figures, schemas.LevelFigureName],
    [ladder.rules, schemas.LevelRule],
    [ladder.kinds, schemas.LevelCriterion.properties.kind],
    [ladder.classes, schemas.LevelOutcome.properties.outcome],
  ];
  for (const [words, schema] of table) assert.deepEqual(Object.keys(words).sort(), [...schema.enum].sort());
  for (const words of [ladder.states, ladder.moves, ladder.met]) {
    const list = Object.values(words);
    assert.equal(new Set(list.map(({ glyph }) => glyph)).size, list.length);
    assert.equal(new Set(list.map(({ word }) => word)).size, list.length);
  }
});

test('targets and measured values are written in their unit', () => {
  const table = [
    ['>=', 0.9, 'share', '≥ 90 %'],
    ['<', 0.005, 'share', '< 0.5 %'],
    ['<', 10_800_000, 'ms', '< 3 h'],
    ['<=', 1_800_000, 'ms', '≤ 30 min'],
    ['>', 72, 'hours', '> 72 h'],
    ['>=', 30, 'days', '≥ 30 d'],
    ['>=', 1200, 'count', '≥ 1,200'],
  ];
  for (const [comparison, target, unit, says] of table) assert.equal(ladder.target({ comparison, target, unit }), says);
  assert.equal(ladder.written(null, 'ms'), '–');
  assert.equal(ladder.written(0.9999, 'share'), '99.9 %');
  assert.equal(ladder.written(31.46, 'hours'), '31.5 h');
});
