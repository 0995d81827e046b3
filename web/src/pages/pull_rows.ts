// What the list of pull requests and the matrix share. Pure.
import { address, type Address, type Schemas } from '../api';
import type { Piece, Ways } from '../more';

export type PullRow = Schemas['PullRow'];
export type PlaceOnPull = PullRow['backends'][number];
export interface Place {
  repo: string;
  level: Schemas['Level'];
  effective_level?: Schemas['Level'] | undefined;
}

export const pullWays: Ways<PullRow> = {
  keyOf: (row) => `${row.upstream}#${row.number}`,
  atOf: (row) => row.updated_at,
};

// Older pages are as large as the contract allows.
export function pullsAfter(asked: Record<string, string>): (cursor: string) => Address<Piece<PullRow>> {
  return (cursor) => address('/api/v1/pulls', {}, { ...asked, limit: 200, cursor });
}

// Columns are the downstreams of these rows: highest level first, then by name.
export function places(rows: PullRow[]): Place[] {
  const seen = new Map<string, Place>();
  for (const row of rows)
    for (const { repo, level, effective_level } of row.backends) if (!seen.has(repo)) seen.set(repo, { repo, level, effective_level });
  return [...seen.values()].sort((a, b) => b.level.localeCompare(a.level) || a.repo.localeCompare(b.repo));
}

export function levelsOf(columns: Place[]): { level: Schemas['Level']; span: number }[] {
  return [...new Set(columns.map(({ level }) => level))].map((level) => ({
    level,
    span: columns.filter((column) => column.level === level).length,
  }));
}

// Among what is loaded: by number, author, upstream, or the beginning of the commit.
export function found(rows: PullRow[], wanted: string): PullRow[] {
  const low = wanted.trim().toLowerCase().replace(/^#/, '');
  if (!low) return rows;
  return rows.filter(
    (row) =>
      String(row.number).includes(low) ||
      row.author.toLowerCase().includes(low) ||
      row.head.startsWith(low) ||
      row.upstream.toLowerCase().includes(low),
  );
}

// How at least one downstream stands, by the contract's words; the relay does the choosing.
export const standings = ['any', 'failing', 'waiting', 'silent'] as const;

const bad = new Set<Schemas['Outcome']>(['failure', 'timed_out', 'undelivered']);

export function failing(row: PullRow): boolean {
  return row.backends.some(({ outcome }) => bad.has(outcome));
}

export function silent(row: PullRow): boolean {
  return row.backends.some(({ outcome }) => outcome === 'silent');
}
