// The rules of src/baton/quality/score, for what-if on a page: whole numbers only, on the items that the relay told. Pure.
import type { Schemas } from './api';

type Release = Schemas['QualityRelease'];
type Item = Schemas['QualityItem'];

export interface Outcome {
  proven: number;
  potential: number;
  max: number;
  p0: { met: number; total: number; open: string[] };
  readings: { reading: string; total: number; level: string; rank: number; needs: { level: string; points: number }[] }[];
}

// Item id to the points it would have.
export type Changes = ReadonlyMap<string, number>;

// The least score that reaches so many percent.
export function leastPoints(percent: number, total: number, exact: boolean): number {
  return exact ? Math.ceil((percent * total) / 100) : Math.floor((percent * total) / 100);
}

// What an item can have, lowest first: sums of its parts, its steps, or all or nothing.
export function attainable({ criterion }: Item): number[] {
  const { kind, parts, steps, max } = criterion;
  if (kind === 'step') return [0, ...steps.map(({ points }) => points)].sort((a, b) => a - b);
  if (kind !== 'add') return [0, max];
  const sums = new Set([0]);
  for (const part of parts) for (const sum of [...sums]) sums.add(sum + part.points);
  return [...sums].sort((a, b) => a - b);
}

export function pointsOf(item: Item, changes: Changes): { proven: number; potential: number } {
  const changed = changes.get(item.criterion.id);
  if (changed === undefined || item.max === 0) return { proven: item.proven, potential: item.potential };
  const proven = Math.min(Math.max(0, changed), item.max);
  return { proven, potential: proven };
}

export function outcomeOf(release: Release, changes: Changes): Outcome {
  let [proven, potential, max, exempt] = [0, 0, 0, 0];
  const open = new Set<string>();
  const p0: string[] = [];
  for (const item of release.items) {
    const points = pointsOf(item, changes);
    proven += points.proven;
    potential += points.potential;
    max += item.max;
    exempt += item.exempt;
    const applies = item.max > 0;
    if (applies && item.criterion.priority === 'P0') p0.push(item.criterion.id);
    if (applies && points.proven < item.max) open.add(item.criterion.id);
  }
  const left = p0.filter((id) => open.has(id));
  return {
    proven,
    potential,
    max,
    p0: { met: p0.length - left.length, total: p0.length, open: left },
    readings: release.score.readings.map(({ reading }) => readAs(release, reading, { proven, exempt, open })),
  };
}

function readAs(release: Release, reading: string, at: { proven: number; exempt: number; open: ReadonlySet<string> }): Outcome['readings'][number] {
  const { rules, levels, items } = release;
  const total = (reading.includes('rows') ? rules.rows_total : rules.printed_total) - at.exempt;
  const exact = reading.startsWith('pct');
  const best = levels.find(({ require: asked }) => {
    if (asked.percent !== null && at.proven < leastPoints(asked.percent, total, exact)) return false;
    if (asked.points !== null && at.proven < asked.points) return false;
    if (asked.items.some((id) => at.open.has(id))) return false;
    return !items.some(({ criterion }) => criterion.priority === asked.all_priority && at.open.has(criterion.id));
  });
  const needs = levels.flatMap(({ name, require: asked }) =>
    asked.percent === null && asked.points === null
      ? []
      : [{ level: name, points: Math.max(asked.percent === null ? 0 : leastPoints(asked.percent, total, exact), asked.points ?? 0) }],
  );
  return { reading, total, level: best?.name ?? '', rank: best?.rank ?? 0, needs };
}

// Changes in the address: "CI-4.4 FB-1.2"; what cannot be is left out.
export function changesIn(text: string, items: readonly Item[]): Map<string, number> {
  const changes = new Map<string, number>();
  for (const word of text.split(' ')) {
    const dot = word.lastIndexOf('.');
    const item = items.find(({ criterion }) => criterion.id === word.slice(0, dot));
    const points = Number(word.slice(dot + 1));
    if (item && item.max > 0 && attainable(item).includes(points)) changes.set(item.criterion.id, points);
  }
  return changes;
}

export function changesText(changes: Changes): string {
  return [...changes].map(([id, points]) => `${id}.${points}`).join(' ');
}
