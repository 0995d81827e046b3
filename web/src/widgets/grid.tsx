// Rows of letters: text where all is green, a link for every cell that is not. Arrow keys go from one of those to the next.
import { useState } from 'preact/hooks';
import type { Schemas } from '../api';
import { go } from '../nav';
import { pullPath } from '../route';
import { plural } from '../figures';
import { rowSentence, runs, step, type GridRow } from '../grid_rows';
import { outcomeWord } from '../words';
import { Sha, When } from './bits';

type Grid = Schemas['Grid'];
interface Spot {
  row: number;
  column: number;
}

export function Grid({ grid }: { grid: Grid }) {
  const [spot, setSpot] = useState<Spot | null>(null);
  const focusable = grid.rows.map((row) => row.cells.flatMap((cell, at) => (cell !== null && cell !== 'success' ? [at] : [])));
  const firstRow = focusable.findIndex((columns) => columns.length > 0);
  const stop =
    spot && focusable[spot.row]?.includes(spot.column) ? spot : firstRow >= 0 ? { row: firstRow, column: focusable[firstRow]![0]! } : null;
  const onKey = (event: KeyboardEvent) => {
    const from = spotOf(event.target);
    const next = from && step(focusable, from, event.key);
    if (!next) return;
    event.preventDefault();
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-spot="${next.row}:${next.column}"]`)?.focus();
  };
  const parts = partsOf(grid);
  const single = new Set(grid.columns.map(({ workflow }) => workflow)).size === 1;
  return (
    <div class="grid-frame">
      <p class="grid-line" aria-live="off">
        {spot ? (
          <SpotLine grid={grid} spot={spot} />
        ) : (
          <span class="quiet">
            {plural(grid.rows.length, 'commit')}, {plural(grid.columns.length, 'job')}
            {single && (
              <>
                {' '}
                of <bdi>{grid.columns[0]?.workflow}</bdi>
              </>
            )}
            . Point at a cell or move with the arrow keys.
          </span>
        )}
      </p>
      <div class="scroll sides" tabIndex={0} role="region" aria-label="Commits by jobs">
        <div
          class="grid"
          role="grid"
          aria-label="Commits by jobs"
          aria-rowcount={grid.rows.length + 1}
          onKeyDown={onKey}
          onFocusCapture={(event) => setSpot(spotOf(event.target) ?? spot)}
        >
          {parts.map(([from, rows], at) => (
            <div key={at} role="rowgroup" class="grid-part">
              <Head grid={grid} single={single} again={at > 0} />
              {rows.map((row, index) => (
                <Row key={`${row.sha} ${row.number}`} grid={grid} row={row} at={from + index} stop={stop} onSpot={setSpot} />
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

// A grid of few jobs would be a long narrow strip: its rows stand in up to three parts beside each other.
function partsOf({ rows, columns }: Grid): [number, GridRow[]][] {
  const long = isNarrow(columns.length) ? Math.max(8, Math.ceil(rows.length / 3)) : rows.length;
  return Array.from({ length: Math.ceil(rows.length / long) }, (_, at) => [at * long, rows.slice(at * long, (at + 1) * long)]);
}

export function isNarrow(jobs: number): boolean {
  return jobs <= 3;
}

function Head({ grid, single, again }: { grid: Grid; single: boolean; again: boolean }) {
  return (
    <div class={`grid-row grid-head ${again ? 'again' : ''}`} role="row">
      <span role="columnheader" class="grid-what">
        Commit
      </span>
      <span role="columnheader" class="grid-when">
        Came
      </span>
      <span role="columnheader" class="grid-names">
        <span class="hide">Jobs: </span>
        {grid.columns.map((column) => (
          <span key={`${column.workflow}\n${column.job}`} class="grid-name" title={`${column.workflow} / ${column.job}`}>
            <bdi>{single ? column.job : `${column.workflow} / ${column.job}`}</bdi>
          </span>
        ))}
      </span>
    </div>
  );
}

function Row({ grid, row, at, stop, onSpot }: { grid: Grid; row: GridRow; at: number; stop: Spot | null; onSpot: (spot: Spot) => void }) {
  const to = row.number === null ? null : `${pullPath(grid.upstream, row.number)}?sha=${encodeURIComponent(row.sha)}`;
  const columnAt = (event: MouseEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return Math.min(row.cells.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * row.cells.length)));
  };
  return (
    <div class="grid-row" role="row" aria-rowindex={at + 2} data-row>
      <span role="rowheader" class="grid-what">
        {to ? <a href={to}>#{row.number}</a> : <span class="quiet">{row.event_type.replace('_', ' ')}</span>} <Sha sha={row.sha} />
        <span class="hide"> {rowSentence(row)}</span>
      </span>
      <span role="gridcell" class="grid-when quiet">
        <When at={row.at} />
      </span>
      <span role="gridcell" class="grid-cells">
        <span
          class="run"
          onMouseMove={(event) => onSpot({ row: at, column: columnAt(event) })}
          onClick={(event) => {
            const id = row.jobs[columnAt(event)];
            if (!(event.target as Element).closest('a') && id) go(`/job/${id}`);
          }}
        >
          {runs(row.cells).map((run, index) =>
            run.kind === 'text' ? (
              <span key={index} aria-hidden="true" class="tone-success">
                {run.text}
              </span>
            ) : (
              <CellLink key={index} grid={grid} row={row} at={at} column={run.at} focused={stop?.row === at && stop.column === run.at} />
            ),
          )}
        </span>
      </span>
    </div>
  );
}

function CellLink({ grid, row, at, column, focused }: { grid: Grid; row: GridRow; at: number; column: number; focused: boolean }) {
  const word = outcomeWord(row.cells[column] ?? null);
  const id = row.jobs[column];
  const name = grid.columns[column];
  const attempts = row.attempts[column] ?? 0;
  const said = `${name?.workflow} / ${name?.job}: ${word.word}${attempts > 1 ? `, ${attempts} attempts` : ''}`;
  return (
    <a
      class={`tone-${word.tone}`}
      href={id === null || id === undefined ? undefined : `/job/${id}`}
      tabIndex={focused ? 0 : -1}
      data-spot={`${at}:${column}`}
      aria-label={said}
    >
      {word.glyph}
    </a>
  );
}

function SpotLine({ grid, spot }: { grid: Grid; spot: Spot }) {
  const row = grid.rows[spot.row];
  const column = grid.columns[spot.column];
  if (!row || !column) return null;
  const word = outcomeWord(row.cells[spot.column] ?? null);
  const attempts = row.attempts[spot.column] ?? 0;
  return (
    <>
      <span class={`tone-text-${word.tone}`}>
        {word.glyph} {word.word}
      </span>{' '}
      <strong>
        <bdi>{column.job}</bdi>
      </strong>{' '}
      <span class="quiet">
        <bdi>{column.workflow}</bdi> · {row.number === null ? row.sha.slice(0, 8) : `#${row.number}`}
        {attempts > 1 && ` · ${attempts} attempts`}
      </span>
    </>
  );
}

function spotOf(target: EventTarget | null): Spot | null {
  const said = target instanceof HTMLElement ? target.dataset.spot : undefined;
  if (!said) return null;
  const [row = 0, column = 0] = said.split(':').map(Number);
  return { row, column };
}
