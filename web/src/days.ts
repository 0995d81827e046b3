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

export function series(days: Schemas['DayFigures'][], from: string, until: string): Series {
  const by = new Map(days.map((figures) => [figures.day, figures]));
  const made: Series = { at: [], rate: [], low: [], high: [], bad: [], n: [] };
  const first = Date.parse(`${from.slice(0, 10)}T00:00:00Z`);
  const last = Math.min(Date.parse(until), first + 400 * day);
  for (let moment = first; moment < last; moment += day) {
    const figures = by.get(new Date(moment).toISOString().slice(0, 10));
    made.at.push(moment / 1000);
    made.rate.push(figures?.rate.value ?? null);
    made.low.push(figures?.rate.low ?? null);
    made.high.push(figures?.rate.high ?? null);
    made.bad.push(figures ? figures.cells.failure + figures.cells.timed_out + figures.silent : 0);
    made.n.push(figures?.rate.n ?? 0);
  }
  return made;
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
