// What a grid shows, and how its rows are cut into runs of text. Pure.
import type { Schemas } from './api';
import { outcomeWord, sentence, type Outcome } from './words';

type Grid = Schemas['Grid'];
export type GridRow = Schemas['GridRow'];

// Columns whose name has the text, rows that have something to show in them.
export function narrowed(grid: Grid, job: string, onlyBad: boolean): Grid {
  const wanted = job.toLowerCase();
  const kept = grid.columns.flatMap((column, at) => (`${column.workflow} / ${column.job}`.toLowerCase().includes(wanted) ? [at] : []));
  const rows = grid.rows.map((row) => ({
    ...row,
    cells: kept.map((at) => row.cells[at] ?? null),
    attempts: kept.map((at) => row.attempts[at] ?? 0),
    jobs: kept.map((at) => row.jobs[at] ?? null),
  }));
  const fits = (row: GridRow) =>
    row.cells.some((cell) => cell !== null) && (!onlyBad || row.cells.some((cell) => cell !== null && cell !== 'success'));
  return { ...grid, columns: kept.map((at) => grid.columns[at]!), rows: wanted || onlyBad ? rows.filter(fits) : rows };
}

export type Run = { kind: 'text'; text: string } | { kind: 'cell'; at: number; outcome: Outcome };

// Green and absent cells are text; whatever else is an element of its own. 200 by 300 stays a few thousand nodes. A tab ends each cell of
// text: its stops are as wide as a cell, so that columns stand however wide the font makes the glyph.
export function runs(cells: (Outcome | null)[]): Run[] {
  const list: Run[] = [];
  cells.forEach((cell, at) => {
    if (cell !== null && cell !== 'success') {
      list.push({ kind: 'cell', at, outcome: cell });
      return;
    }
    const text = `${outcomeWord(cell).glyph}\t`;
    const before = list.at(-1);
    if (before?.kind === 'text') before.text += text;
    else list.push({ kind: 'text', text });
  });
  return list;
}

// What a row says aloud.
export function rowSentence(row: GridRow): string {
  const what = row.number === null ? `Commit ${row.sha.slice(0, 8)}` : `Pull request ${row.number}`;
  return `${what}: ${sentence(row.cells)}`;
}

// The cell that an arrow key leads to. Rows hold the columns that can be focused, in order.
export function step(rows: number[][], from: { row: number; column: number }, key: string): { row: number; column: number } | null {
  const here = rows[from.row] ?? [];
  const at = here.indexOf(from.column);
  if (key === 'ArrowLeft') return at > 0 ? { row: from.row, column: here[at - 1]! } : null;
  if (key === 'ArrowRight') return at >= 0 && at < here.length - 1 ? { row: from.row, column: here[at + 1]! } : null;
  const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (by === 0) return null;
  for (let row = from.row + by; row >= 0 && row < rows.length; row += by) {
    const nearest = [...rows[row]!].sort((a, b) => Math.abs(a - from.column) - Math.abs(b - from.column))[0];
    if (nearest !== undefined) return { row, column: nearest };
  }
  return null;
}
