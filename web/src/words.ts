// One table for glyph, tone and word of everything that has a state. A colour never stands alone: the glyph is always there. One glyph has
// one meaning on every page (test/unit/words.test.mjs), and none reads as a digit beside a count.
import type { Schemas } from './api';

export type Outcome = Schemas['Outcome'];
export type Conclusion = Schemas['Conclusion'];

// A tone is a colour of the style sheet (--tone-…).
export type Tone = 'success' | 'flaky' | 'failure' | 'timed_out' | 'none' | 'running' | 'waiting';

export interface Word {
  glyph: string;
  tone: Tone;
  word: string;
  meaning: string;
}

export const outcomes: Record<Outcome, Word> = {
  success: { glyph: '✓', tone: 'success', word: 'passed', meaning: 'The job succeeded.' },
  flaky: { glyph: 'F', tone: 'flaky', word: 'flaky', meaning: 'It failed and passed on the same commit. It counts as passed.' },
  failure: { glyph: 'X', tone: 'failure', word: 'failed', meaning: 'The job failed.' },
  timed_out: { glyph: 'T', tone: 'timed_out', word: 'timed out', meaning: 'It ran out of time, or nobody reported its end in time.' },
  neutral: { glyph: 'N', tone: 'none', word: 'neutral', meaning: 'It ended and says neither good nor bad. No signal.' },
  cancelled: { glyph: 'C', tone: 'none', word: 'cancelled', meaning: 'Somebody or a newer commit stopped it. No signal.' },
  skipped: { glyph: 'S', tone: 'none', word: 'skipped', meaning: 'It chose not to run. No signal.' },
  action_required: { glyph: 'A', tone: 'waiting', word: 'needs somebody', meaning: 'It waits for a person at the downstream. No signal.' },
  running: { glyph: '~', tone: 'running', word: 'running', meaning: 'It is in progress.' },
  silent: { glyph: '!', tone: 'timed_out', word: 'silent', meaning: 'The event was sent, and nobody started anything in time.' },
  undelivered: { glyph: '#', tone: 'failure', word: 'not delivered', meaning: 'The event could not be sent there, and is not tried again.' },
  delivered: { glyph: '-', tone: 'none', word: 'delivered', meaning: 'Sent to one that reports nothing (level L1). No signal.' },
  superseded: { glyph: '»', tone: 'none', word: 'superseded', meaning: 'A newer commit, or the end of the pull request, came before it started. No signal.' },
  waiting: { glyph: '…', tone: 'waiting', word: 'waiting', meaning: 'Sent or about to be sent; nothing has started yet.' },
};

export const absent: Word = { glyph: '·', tone: 'none', word: 'did not run', meaning: 'There is no such job on this commit.' };

export const unknown: Word = { glyph: '?', tone: 'none', word: 'unknown', meaning: 'A word that this page does not know.' };

export function outcomeWord(outcome: string | null): Word {
  if (outcome === null) return absent;
  return (outcomes as Record<string, Word | undefined>)[outcome] ?? unknown;
}

// An execution: what it ended as, or that it runs.
export function jobWord(job: Pick<Schemas['Job'], 'status' | 'conclusion'>): Word {
  return job.status === 'completed' ? outcomeWord(job.conclusion) : outcomes.running;
}

// Worst first: where several outcomes are told as one, and in which order they are counted.
const order: Outcome[] = [
  'failure',
  'timed_out',
  'undelivered',
  'silent',
  'action_required',
  'running',
  'waiting',
  'flaky',
  'success',
  'neutral',
  'cancelled',
  'skipped',
  'delivered',
  'superseded',
];

export function worseFirst(a: Outcome, b: Outcome): number {
  return order.indexOf(a) - order.indexOf(b);
}

export function tally(list: (Outcome | null)[]): { outcome: Outcome; count: number }[] {
  const counts = new Map<Outcome, number>();
  for (const outcome of list) if (outcome !== null) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => ({ outcome, count })).sort((a, b) => worseFirst(a.outcome, b.outcome));
}

// "2 failed, 1 running, 9 passed": what a row of glyphs says aloud.
export function sentence(list: (Outcome | null)[]): string {
  const parts = tally(list).map(({ outcome, count }) => `${count} ${outcomeWord(outcome).word}`);
  return parts.length ? parts.join(', ') : 'nothing ran';
}

const ends: Partial<Record<Outcome, string>> = { neutral: 'ended without a verdict', waiting: 'not started yet', action_required: 'waiting for a person' };

// "By today’s list 3 downstreams count for merging: 1 failed, 1 not started yet and 1 passed." The gate counted by the list of its own time, so the
// sentence says which list it means. Who does not know the words should still follow.
export function mergeSentence(list: Outcome[]): string {
  const parts = tally(list).map(({ outcome, count }) => `${count} ${ends[outcome] ?? outcomeWord(outcome).word}`);
  const said = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts[0]!;
  const who = list.length === 1 ? '1 downstream counts' : `${list.length} downstreams count`;
  return `By today’s list ${who} for merging: ${said}.`;
}

// What became of an event that was to go to a downstream. Arrows and marks, so that none is taken for a job's letter.
export const dispatchStates: Record<Schemas['BackendOnPull']['state'], Word> = {
  none: { glyph: '–', tone: 'none', word: 'not sent', meaning: 'This event did not go to it.' },
  pending: { glyph: '…', tone: 'none', word: 'to be sent', meaning: 'It waits for its turn or for its next try.' },
  sent: { glyph: '→', tone: 'waiting', word: 'sent', meaning: 'GitHub took it; nobody reported yet.' },
  started: { glyph: '~', tone: 'running', word: 'started', meaning: 'The downstream reported a start.' },
  finished: { glyph: '←', tone: 'success', word: 'answered', meaning: 'The downstream reported its end; its jobs say how it went.' },
  superseded: { glyph: '»', tone: 'none', word: 'superseded', meaning: 'A newer commit, or the end of the pull request, came before anything started.' },
  cancelled: { glyph: '×', tone: 'none', word: 'cancelled', meaning: 'The pull request was closed, or the downstream left the list.' },
  failed: { glyph: '⊘', tone: 'failure', word: 'refused', meaning: 'GitHub will not take it; trying again by itself is of no use.' },
  dead: { glyph: '#', tone: 'failure', word: 'given up', meaning: 'Every try failed. It can be sent again by hand.' },
};

// The relay is done with it, and nobody ever said a word: its state is "finished" too, but that is no answer.
export const silentDispatch: Word = {
  glyph: '!',
  tone: 'timed_out',
  word: 'silent',
  meaning: 'It was sent, nobody started anything in time, and the relay stopped waiting.',
};

export function dispatchWord(state: string): Word {
  if (state === 'silent') return silentDispatch;
  return (dispatchStates as Record<string, Word | undefined>)[state] ?? { ...unknown, word: state };
}

// Of several dispatches only the worst is told, so its word must not stand for all of them; an answer is the best there is.
export function worstWord(state: string): Word {
  const word = dispatchWord(state);
  return { ...word, word: state === 'finished' ? `all ${word.word}` : `some ${word.word}` };
}

// An answer is green only as far as the jobs are.
export function dispatchStanding(dispatch: Pick<Schemas['Dispatch'], 'state' | 'reason' | 'jobs'>): Word {
  const word = dispatchWord(dispatch.state);
  if (dispatch.state !== 'finished') return word;
  if (dispatch.jobs.length === 0) return dispatch.reason.startsWith('superseded') ? dispatchStates.superseded : silentDispatch;
  const [worst] = tally(dispatch.jobs.map(({ conclusion }) => conclusion ?? 'running'));
  return { ...word, tone: outcomeWord(worst!.outcome).tone };
}

export const verdicts: Record<Schemas['Pull']['verdict']['merge'], Word> = {
  clear: { glyph: '✓', tone: 'success', word: 'Clear to merge', meaning: 'The gate of this commit is green.' },
  blocked: { glyph: 'X', tone: 'failure', word: 'Blocked', meaning: 'A downstream that counts has not passed.' },
  waiting: { glyph: '…', tone: 'waiting', word: 'Waiting', meaning: 'A downstream that counts has not answered yet.' },
  over: { glyph: '■', tone: 'none', word: 'No longer the one to merge', meaning: 'Another commit came, or the pull request was closed, before it was decided.' },
  not_gated: { glyph: 'N', tone: 'none', word: 'Not gated', meaning: 'No downstream counts for merging here.' },
};

const colours = { clear: 'green', blocked: 'red', waiting: 'still waiting' };

// The relay's text begins with the gate's title and may name the same downstreams once more. They are said once.
function onceNamed(text: string): string {
  const [, verb = '', first = '', all = ''] = /^(Blocked by|Waiting for) (\S+)(?: and \d+ more)?: (?:waits for )?(.+)$/.exec(text) ?? [];
  return first && all.split(', ').includes(first) ? `${verb} ${all}` : text;
}

// What the page of a pull request says first. Once it is closed nobody merges it any more: the gate is told as it was.
export function verdictSaid({ open, verdict }: Pick<Schemas['Pull'], 'open' | 'verdict'>): { word: Word; first: string; rest: string } {
  const word = verdicts[verdict.merge];
  const said = onceNamed(verdict.text);
  if (open) {
    const once = said.startsWith(`${word.word} `);
    return { word, first: once ? word.word : `${word.word}.`, rest: once ? said.slice(word.word.length + 1) : said };
  }
  const closed = { word: { ...verdicts.over, word: 'Closed' }, first: 'Closed.' };
  if (verdict.merge === 'over') return { ...closed, rest: /was closed$/.test(said) ? 'The gate had not decided by then.' : said };
  if (verdict.merge === 'not_gated') return { ...closed, rest: 'There was no gate.' };
  const why = `${said.charAt(0).toLowerCase()}${said.slice(1)}`;
  return { ...closed, rest: `When it was closed the gate was ${colours[verdict.merge]} (${why}).` };
}

// Sent, and called off before anything started: nobody waits for it any more, though the relay still tells it as waiting.
export function standsAs({ outcome, state, reason }: Pick<Schemas['BackendOnPull'], 'outcome' | 'state' | 'reason'>): Outcome {
  return outcome === 'waiting' && (state === 'superseded' || reason.startsWith('superseded')) ? 'superseded' : outcome;
}

export const severities: Record<Schemas['Attention']['severity'], Word> = {
  high: { glyph: '▲', tone: 'failure', word: 'high', meaning: 'Somebody should look now.' },
  medium: { glyph: '▲', tone: 'timed_out', word: 'medium', meaning: 'Somebody should look today.' },
  low: { glyph: 'i', tone: 'none', word: 'low', meaning: 'Worth knowing.' },
};

export const gates: Record<Schemas['GateState'], string> = {
  not_counted: 'not counted',
  counted: 'counts',
  suspended: 'suspended',
};

export const levels: Record<Schemas['Level'], string> = {
  L1: 'hears of events',
  L2: 'reports results',
  L3: 'is shown on pull requests',
  L4: 'counts for merging',
};
