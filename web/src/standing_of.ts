// How far a page can be believed, from what its parts know. Pure.
import type { Trouble } from './api';
import type { LiveState } from './changes';

export type Standing =
  | { kind: 'fresh' | 'paused' | 'deaf' | 'old'; checked: number | null }
  | { kind: 'dead'; checked: number | null; trouble: Trouble | null };

export interface Signs {
  answers: { checked: number; trouble: Trouble | undefined }[];
  live: LiveState;
  losses: number; // how often in a row the stream could not be opened
  seenSince: number; // a page that nobody looked at did not ask
  now: number;
}

const believed = 100_000; // a question each minute, and the patience for its answer

export function standingOf({ answers, live, losses, seenSince, now }: Signs): Standing {
  const checks = answers.map(({ checked }) => checked).filter((checked) => checked > 0);
  const checked = checks.length ? Math.min(...checks) : null;
  const trouble = answers.find((answer) => answer.trouble?.passing)?.trouble;
  if (trouble) return { kind: 'dead', checked, trouble };
  if (live === 'paused') return { kind: 'paused', checked };
  if (live === 'away' && losses > 1) return answers.length ? { kind: 'deaf', checked } : { kind: 'dead', checked, trouble: null };
  if (checked !== null && now - Math.max(checked, seenSince) > believed) return { kind: 'old', checked };
  return { kind: 'fresh', checked };
}
