// Days as series. Pure. A day without anything is a gap (null), never 0 %.
import type { Schemas } from './api';

export interface Series {
  at: number[]; // seconds, UTC midnight
  rate: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
  bad: number[];
  n: number[];
}

const day = 86_400_000;

// Every day of a window; one that was not told is a gap.
export function gapped<T extends { day: string }>(told: T[], from: string, until: string): { at: number[]; days: (T | null)[] } {
  const by = new Map(told.map((one) => [one.day, one]));
  const made: { at: number[]; days: (T | null)[] } = { at: [], days: [] };
  const first = Date.parse(`${from.slice(0, 10)}T00:00:00Z`);
  const last = Math.min(Date.parse(until), first + 400 * day);
  for (let moment = first; moment < last; moment += day) {
    made.at.push(moment / 1000);
    made.days.push(by.get(new Date(moment).toISOString().slice(0, 10)) ?? null);
  }
  return made;
}

export function series(days: Schemas['DayFigures'][], from: string, until: string): Series {
  const whole = gapped(days, from, until);
  const of = <V>(pick: (figures: Schemas['DayFigures']) => V, none: V) => whole.days.map((figures) => (figures ? pick(figures) : none));
  return {
    at: whole.at,
    rate: of((figures) => figures.rate.value, null),
    low: of((figures) => figures.rate.low, null),
    high: of((figures) => figures.rate.high, null),
    bad: of((figures) => figures.cells.failure + figures.cells.timed_out + figures.silent, 0),
    n: of((figures) => figures.rate.n, 0),
  };
}

const percent = (value: number) => `${(value * 100).toFixed(1)} %`;

// What the chart says under the pointer.
export function daySentence(made: Series, at: number): string {
  const day = new Date(made.at[at]! * 1000).toISOString().slice(0, 10);
  const rate = made.rate[at];
  if (rate === null || rate === undefined) return `${day} UTC: nothing ended.`;
  return `${day} UTC: ${percent(rate)} (${percent(made.low[at] ?? 0)} to ${percent(made.high[at] ?? 1)}), n ${made.n[at]}, ${made.bad[at]} not passed.`;
}

export function chartSentence(made: Series): string {
  const told = made.rate.filter((value): value is number => value !== null);
  if (told.length === 0) return 'No day has a rate.';
  return `Pass rate of ${told.length} of ${made.at.length} days: lowest ${percent(Math.min(...told))}, highest ${percent(Math.max(...told))}, newest ${percent(told.at(-1)!)}. Bars count what did not pass.`;
}
