import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { standingOf } = await load('standing_of.ts');
const now = 1_000_000;
const well = { checked: now - 5_000, trouble: undefined };
const passing = { title: 'The relay cannot be reached', detail: '', status: 0, passing: true, retryAfter: null };
const kind = (signs) => standingOf({ answers: [well], live: 'live', losses: 0, seenSince: 0, now, ...signs }).kind;

test('a page is believed while its answers are young and nothing went wrong', () => {
  assert.equal(kind({}), 'fresh');
  assert.equal(kind({ live: 'connecting' }), 'fresh');
  assert.equal(kind({ answers: [] }), 'fresh');
});

test('one answer that did not come makes the whole page doubtful', () => {
  assert.equal(kind({ answers: [well, { checked: now - 50, trouble: passing }] }), 'dead');
  assert.equal(kind({ live: 'paused', answers: [{ checked: now, trouble: passing }] }), 'dead');
  assert.equal(kind({ answers: [{ checked: now, trouble: { ...passing, status: 404, passing: false } }] }), 'fresh');
});

test('a stream that breaks once is no news; one that stays away is', () => {
  assert.equal(kind({ live: 'away', losses: 1 }), 'fresh');
  assert.equal(kind({ live: 'away', losses: 2 }), 'deaf');
  assert.equal(kind({ live: 'away', losses: 2, answers: [] }), 'dead');
});

test('what nobody confirmed for long is old, but not on a page that nobody looked at', () => {
  const old = { checked: now - 200_000, trouble: undefined };
  assert.equal(kind({ answers: [old] }), 'old');
  assert.equal(kind({ answers: [old], seenSince: now - 1_000 }), 'fresh');
  assert.equal(kind({ answers: [old], live: 'paused' }), 'paused');
});

test('the age is that of the oldest part', () => {
  const told = standingOf({ answers: [well, { checked: now - 9_000, trouble: undefined }, { checked: 0, trouble: undefined }], live: 'live', losses: 0, seenSince: 0, now });
  assert.equal(told.checked, now - 9_000);
});
