import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from './load.mjs';

const { absent, dispatchStanding, dispatchStates, jobWord, mergeSentence, outcomeWord, outcomes, sentence, severities, silentDispatch, tally, unknown, standsAs, verdicts, verdictSaid, worstWord } = await load('words.ts');
const { asSentence, measure, moreOrLess, percent, points, rateTone } = await load('figures.ts');
const { againstBase, blamed, marks, nightWord, whose } = await load('failure_words.ts');
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
  assert.equal(mergeSentence(['neutral', 'neutral', 'neutral']), 'By today’s list 3 downstreams count for merging: 3 ended without a verdict.');
  assert.equal(mergeSentence(['success', 'failure', 'silent']), 'By today’s list 3 downstreams count for merging: 1 failed, 1 silent and 1 passed.');
  assert.equal(mergeSentence(['success']), 'By today’s list 1 downstream counts for merging: 1 passed.');
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

test('a pass rate has one colour: the page changes it where the badge does', () => {
  const badge = readFileSync(new URL('../../../src/baton/api/badge.hpp', import.meta.url), 'utf8');
  const [good, poor] = ['kRateGood', 'kRatePoor'].map((name) => Number(new RegExp(`${name} = ([\\d.]+)`).exec(badge)[1]));
  const tone = (value) => rateTone({ value, n: 300, low: 0, high: 1, few: false });
  assert.deepEqual([good, good - 0.001, poor, poor - 0.001].map(tone), ['success', 'timed_out', 'timed_out', 'failure']);
});

test('whose the red jobs are is summed up, those that hold up the merge first', () => {
  const cell = (job, outcome, verdict, confidence) => ({ job, workflow: 'ci', outcome, attribution: verdict && { verdict, confidence } });
  const told = blamed([
    { repo: 'a/one', blocking: false, cells: [cell('x', 'failure', 'infra', 'low'), cell('y', 'timed_out', 'infra', 'medium')] },
    { repo: 'b/two', blocking: true, cells: [cell('z', 'failure', 'pr', 'high'), cell('f', 'flaky', 'flake', 'high'), cell('g', 'success', null)] },
    { repo: 'c/three', blocking: false, cells: [cell('x', 'failure', 'infra', 'low')] },
  ]);
  assert.deepEqual(told, [
    { verdict: 'pr', jobs: 1, downstreams: ['b/two'], job: 'z', confidence: 'high' },
    { verdict: 'infra', jobs: 3, downstreams: ['a/one', 'c/three'], job: 'x', confidence: 'medium' },
  ]);
  assert.deepEqual(blamed([]), []);
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

test('one glyph has one meaning, whatever table it stands in', () => {
  const alike = [
    ['passed', 'met', 'Clear to merge'],
    ['failed', 'missed', 'Blocked'],
    ['neutral', 'Not gated'],
    ['running', 'started'],
    ['waiting', 'to be sent', 'Waiting'],
    ['not delivered', 'given up'],
    ['flaky', 'chance'],
    ['as listed', 'calmed'],
    ['unknown', 'nobody can tell', 'no comparison', 'too little to tell'],
    ['high', 'medium'],
  ];
  const tables = [outcomes, dispatchStates, verdicts, severities, whose, againstBase, marks, ladder.states, ladder.moves, ladder.met];
  const words = [...tables.flatMap((table) => Object.values(table)), absent, silentDispatch, unknown];
  const meant = new Map();
  for (const { glyph, word } of words) meant.set(glyph, (meant.get(glyph) ?? new Set()).add(word));
  for (const [glyph, said] of meant)
    assert.ok(said.size === 1 || alike.some((group) => [...said].every((word) => group.includes(word))), `${glyph}: ${[...said].join(', ')}`);
  for (const glyph of meant.keys()) assert.doesNotMatch(glyph, /[0-9Oo]/);
});

test('the verdict names each downstream once, and of a closed pull request it speaks in the past', () => {
  const said = (merge, text, open = true) => {
    const { first, rest } = verdictSaid({ open, verdict: { merge, text } });
    return `${first} ${rest}`;
  };
  const table = [
    ['blocked', 'Blocked by a/b: a/b', 'Blocked by a/b'],
    ['blocked', 'Blocked by a/b and 1 more: a/b, c/d', 'Blocked by a/b, c/d'],
    ['blocked', 'Blocked by a/b: c/d', 'Blocked by a/b: c/d'],
    ['blocked', 'Blocked by a private downstream', 'Blocked by a private downstream'],
    ['waiting', 'Waiting for a/b: waits for a/b', 'Waiting for a/b'],
    ['clear', 'Passed: 3 of 3 downstreams', 'Clear to merge. Passed: 3 of 3 downstreams'],
    ['not_gated', 'No gate stands on this commit.', 'Not gated. No gate stands on this commit.'],
  ];
  for (const [merge, text, says] of table) assert.equal(said(merge, text), says);
  assert.equal(said('blocked', 'Blocked by a/b: a/b', false), 'Closed. When it was closed the gate was red (blocked by a/b).');
  assert.equal(said('clear', 'Passed: 1 of 1 downstreams', false), 'Closed. When it was closed the gate was green (passed: 1 of 1 downstreams).');
  assert.equal(said('not_gated', 'No gate stands on this commit.', false), 'Closed. There was no gate.');
  assert.equal(said('over', 'The pull request was closed', false), 'Closed. The gate had not decided by then.');
  assert.equal(said('over', 'Overtaken by commit 1234abcd', false), 'Closed. Overtaken by commit 1234abcd');
});

test('what was called off before it started waits for nobody', () => {
  const backend = (outcome, state, reason) => standsAs({ outcome, state, reason });
  assert.equal(backend('waiting', 'finished', 'superseded before it started'), 'superseded');
  assert.equal(backend('waiting', 'sent', ''), 'waiting');
  assert.equal(backend('failure', 'finished', 'superseded before it started'), 'failure');
});

test('the worst of several dispatches does not stand for all of them', () => {
  assert.deepEqual(['failed', 'silent', 'pending', 'finished'].map((state) => worstWord(state).word), ['some refused', 'some silent', 'some to be sent', 'all answered']);
});

test('a reason becomes a sentence, and a name that comes first stays as it is', () => {
  const table = [
    ['3 clean evaluations in a row', '3 clean evaluations in a row.'],
    ['still violated after 2 days', 'Still violated after 2 days.'],
    ['no/no stands in no allowlist', 'no/no stands in no allowlist.'],
    ['pass_adj 84.1 % of 132', 'pass_adj 84.1 % of 132.'],
    ['Done.', 'Done.'],
    ['', ''],
  ];
  for (const [words, says] of table) assert.equal(asSentence(words), says);
});
