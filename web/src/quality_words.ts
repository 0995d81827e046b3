// The words of platform quality: grades, states of items, steps. One table, as words.ts is for outcomes.
import type { Schemas } from './api';
import { count } from './figures';
import type { Word } from './words';

type Level = Schemas['QualityLevel'];

// Names are the criteria's own: only the place among its levels has a look.
export function gradeWord(name: string, rank: number, levels: readonly Pick<Level, 'rank' | 'promise'>[]): Word {
  const meaning = levels.find((level) => level.rank === rank)?.promise ?? '';
  const top = Math.max(0, ...levels.map((level) => level.rank));
  if (rank > 0 && rank === top) return { glyph: '▲', tone: 'success', word: name, meaning };
  return rank === 0 ? { glyph: '○', tone: 'none', word: name, meaning } : { glyph: '◆', tone: 'timed_out', word: name, meaning };
}

export const itemStates: Record<Schemas['QualityItem']['state'], Word> = {
  met: { glyph: '✓', tone: 'success', word: 'met', meaning: 'All of its points are proven.' },
  partial: { glyph: '±', tone: 'timed_out', word: 'in part', meaning: 'Some of its points are proven.' },
  unmet: { glyph: '×', tone: 'failure', word: 'not met', meaning: 'It was looked at, and does not hold.' },
  unknown: { glyph: '?', tone: 'waiting', word: 'unknown', meaning: 'Nobody has said. That is neither good nor bad.' },
  exempt: { glyph: '-', tone: 'none', word: 'exempt', meaning: 'It does not apply to this platform, and leaves points and total.' },
  unproven: { glyph: '!', tone: 'failure', word: 'without evidence', meaning: 'Claimed, and nothing is shown for it: it earns nothing.' },
  insufficient: { glyph: '…', tone: 'waiting', word: 'too little', meaning: 'Measured on too little to decide: it counts as unknown.' },
};

// How far evidence can be trusted, as it is declared. The relay says which tier; these are its words.
export const trusts: Record<Schemas['QualityEvidence']['trust'], { words: string; meaning: string }> = {
  T4: { words: 'measured by a relay', meaning: 'A relay counted it from its own dispatches, queues and runs; its digest is kept.' },
  T3: { words: 'reported by a repository', meaning: 'A run of an authenticated repository reported it; its digest is kept.' },
  T2: { words: 'file with its digest', meaning: 'A file beside the assessment; nobody can change it unseen.' },
  T1: { words: 'public link', meaning: 'A page or a query that everybody can open. It may change.' },
  T0: { words: 'statement', meaning: 'Somebody’s word, or what others cannot look at.' },
};

export const supports: Record<Schemas['QualitySupport']['support'], Word> = {
  full: { glyph: '✓', tone: 'success', word: 'full', meaning: 'It works as it does elsewhere.' },
  partial: { glyph: '±', tone: 'timed_out', word: 'partial', meaning: 'Some of it works; the note says what.' },
  none: { glyph: '×', tone: 'none', word: 'none', meaning: 'It does not work here.' },
};

export const steps: Record<Schemas['QualityStep']['step'], string> = {
  proposal: 'Proposal',
  'working-group-review': 'Review by the working group',
  'council-review': 'Review by the council',
  'maintainers-decision': 'Decision of the maintainers',
  documentation: 'Change of the documentation',
};

export const made: Word = { glyph: '✓', tone: 'success', word: 'done', meaning: 'This step was made.' };
export const open: Word = { glyph: '·', tone: 'none', word: 'not yet', meaning: 'This step was not made yet.' };

export const warned: Word = { glyph: '!', tone: 'failure', word: 'warning', meaning: 'Users should know of it, whatever the level.' };

export const readings: Record<Schemas['QualityReading']['reading'], string> = {
  printed: 'of the printed total, rounded down',
  'pct-printed': 'of the printed total, exact',
  'floor-rows': 'of the sum of rows, rounded down',
  'pct-rows': 'of the sum of rows, exact',
};

interface Points {
  proven: number;
  potential: number;
  max: number;
  p0: { met: number; total: number };
}

// Points never stand alone.
export function pointsSentence({ proven, potential, max, p0 }: Points): string {
  const unknown = potential - proven;
  const rest = unknown > 0 ? `${count(unknown)} unknown` : 'nothing unknown';
  return `${count(proven)} of ${count(max)} proven, ${rest}, P0 ${p0.met} of ${p0.total}`;
}

// "99 points and every P0 item"
export function asks(level: Level, thresholds: readonly Schemas['QualityThreshold'][]): string {
  const points = thresholds.find(({ rank }) => rank === level.rank)?.points;
  const { all_priority: priority, items } = level.require;
  const parts = [points !== undefined && `${points} points`, priority && `every ${priority} item`, items.length > 0 && items.join(', ')].filter(Boolean);
  return parts.length > 0 ? parts.join(' and ') : 'nothing';
}
