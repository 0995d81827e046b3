// The words of the ladder: states, moves, figures, rules. One table, as words.ts is for outcomes; nothing here calculates.
import type { Schemas } from './api';
import { count, percent, plural } from './figures';
import { duration } from './time';
import { unknown, type Word } from './words';

export const states: Record<Schemas['LevelState'], Word> = {
  ok: { glyph: '=', tone: 'success', word: 'as listed', meaning: 'Nothing speaks against its level.' },
  watch: { glyph: '◉', tone: 'timed_out', word: 'watched', meaning: 'A criterion of its level was violated at the newest evaluation.' },
  temporary: { glyph: '↓', tone: 'failure', word: 'lowered for now', meaning: 'One level lower by itself, until it is well again.' },
};

export const moves: Record<Schemas['LevelMove'], Word> = {
  watched: { glyph: '◉', tone: 'timed_out', word: 'watched', meaning: 'A criterion of its level was violated.' },
  calmed: { glyph: '=', tone: 'success', word: 'calmed', meaning: 'Nothing is violated any more; it was only watched.' },
  demoted: { glyph: '↓', tone: 'failure', word: 'lowered for now', meaning: 'Checks and gate follow the lower level until it returns.' },
  returned: { glyph: '↑', tone: 'success', word: 'returned', meaning: 'It is back at its listed level, by itself.' },
  proposed: { glyph: '±', tone: 'waiting', word: 'proposed', meaning: 'A change of the list was proposed; somebody has to make it.' },
  withdrawn: { glyph: '∅', tone: 'none', word: 'withdrawn', meaning: 'What was proposed does not hold any more, or is done.' },
  relisted: { glyph: '≡', tone: 'none', word: 'relisted', meaning: 'The list changed its level.' },
  frozen: { glyph: '*', tone: 'running', word: 'frozen', meaning: 'Something would have moved, and nothing may.' },
};

export const met: Record<Schemas['LevelMet'], Word> = {
  met: { glyph: '✓', tone: 'success', word: 'met', meaning: 'What is asked for holds.' },
  missed: { glyph: 'X', tone: 'failure', word: 'missed', meaning: 'What is asked for does not hold.' },
  insufficient: { glyph: '?', tone: 'none', word: 'too little to tell', meaning: 'Too few samples, or not measured: neither good nor bad.' },
};

export const figures: Record<Schemas['LevelFigureName'], string> = {
  tenure_l2: 'days listed at L2 or above',
  tenure_l3: 'days listed at L3 or above',
  events: 'events',
  days_with_data: 'days with events',
  pass_raw: 'pass rate, raw',
  pass_adj: 'pass rate after exclusions',
  pass_run: 'events whose required jobs all pass',
  answered: 'events answered',
  infra_fail: 'failures of machines',
  flake_rate: 'flakes',
  false_alarm: 'false alarms',
  timeout_rate: 'time-outs',
  overrun_rate: 'jobs over 3 hours',
  excluded_share: 'excluded',
  device_named: 'runs that name their device',
  invalid_rate: 'reports refused for what they say',
  limited: 'reports over the limit',
  gate_coverage: 'merged with its verdict in hand',
  queue_mean: 'mean queue',
  queue_p50: 'queue, P50',
  queue_p95: 'queue, P95',
  e2e_p50: 'event to last result, P50',
  e2e_p95: 'event to last result, P95',
  silence: 'silence while something was sent',
  oncall_p50: 'answer of the people on call, P50',
};

export const rules: Record<Schemas['LevelRule'], { word: string; meaning: string }> = {
  trunk: { word: 'upstream’s trunk', meaning: 'Trunk is red for others too. Excluded.' },
  standing: { word: 'standing breakage', meaning: 'Red on trunk at this downstream alone. Counts once a day and job; repeats are excluded.' },
  pull_request: { word: 'the pull request', meaning: 'Others with green trunks are red on the same head. Excluded.' },
  alone: { word: 'only here', meaning: 'Green on trunk, and nobody else is red: what the relay is for. Excluded unless it proves to be a false alarm.' },
  false_alarm: { word: 'false alarm', meaning: 'It was merged, and trunk stayed green. Counts.' },
  overruled: { word: 'said by a person', meaning: 'Somebody ruled on it, with name and reason.' },
  unknown: { word: 'unknown', meaning: 'No rule holds. Counts.' },
};

export const classes: Record<Schemas['LevelOutcome']['outcome'], string> = {
  open: 'open',
  superseded: 'superseded',
  skipped: 'skipped',
  missing: 'nobody started it',
  zombie: 'the relay ended it',
  timeout: 'timed out',
  cancelled: 'cancelled',
  flake: 'flaky',
  infra: 'failed, no test told',
  test: 'tests failed',
  success: 'passed',
};

export const kinds: Record<Schemas['LevelCriterion']['kind'], string> = {
  next: '',
  demotion: '',
  watch: 'watched only',
  at_once: 'missed: lowered at once',
  restore: 'for the return',
};

// Where samples alone are missing, how many: the figures tell it.
export function adviceOf({ met: how, measured, n, least, advice }: Schemas['LevelCriterion']): string {
  return how === 'insufficient' && measured !== null && n < least ? plural(least - n, 'more sample') : advice;
}

// Why nothing can be decided, as far as the figures tell.
export function tooLittle({ demotion, rates, evaluation: { profile } }: Schemas['LevelDetail']): string {
  const open = demotion.filter(({ kind, met: how }) => kind !== 'restore' && how === 'insufficient');
  const crowded = rates.find(({ excluded, window }) => (excluded.value ?? 0) > profile.excluded_max && open.some((one) => one.window === window));
  const excluded =
    crowded && `${percent(crowded.excluded.value)} of what was decided in ${crowded.window} days is excluded; more than ${percent(profile.excluded_max).replace('.0', '')} tells nothing.`;
  const few = open.filter(({ n, least }) => n < least).length;
  const short = few > 0 && `Too few samples for ${few === open.length ? '' : `${few} of `}${plural(open.length, 'criterion', 'criteria')}.`;
  return [short, excluded].filter(Boolean).join(' ') || (open.length > 0 ? 'Not all of it is measured yet.' : 'Planned maintenance covers the time of the evaluation.');
}

// What is said of exclusions when there is none: repeats of a standing breakage are set aside all the same.
export function uncounted({ decided, by_rule, window }: Schemas['LevelExclusions']): string {
  const red = by_rule.reduce((sum, one) => sum + one.red, 0);
  if (red === 0) return decided === 0 ? `Nothing was decided in these ${window} days.` : 'Nothing was red, so there was nothing to exclude.';
  const standing = by_rule.find(({ rule }) => rule === 'standing')?.red ?? 0;
  if (standing < 2 && red <= decided) return 'Nothing was excluded: every red outcome counts.';
  return `Nothing was excluded. Of ${plural(standing, 'red outcome')} of standing breakage the first of each day and job counts; repeats are set aside.`;
}

const signs = { '<': '<', '<=': '≤', '>': '>', '>=': '≥' };

export function wordOf(table: Record<string, Word>, name: string): Word {
  return table[name] ?? { ...unknown, word: name };
}

export function written(value: number | null, unit: Schemas['LevelUnit']): string {
  if (value === null) return '–';
  switch (unit) {
    case 'share':
      return percent(value);
    case 'ms':
      return duration(value);
    case 'days':
      return `${count(value)} d`;
    case 'hours':
      return `${count(Math.round(value * 10) / 10)} h`;
    default:
      return count(value);
  }
}

// "≥ 90 %": a target is a round number, and is written as one.
export function target({ comparison, target: value, unit }: Pick<Schemas['LevelCriterion'], 'comparison' | 'target' | 'unit'>): string {
  return `${signs[comparison] ?? comparison} ${written(value, unit).replace('.0 %', ' %').replace(' 00 min', '').replace(' 00 s', '')}`;
}
