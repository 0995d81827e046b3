// Lines of the ledger of levels: what moved, when, why, on which figures.
import type { Schemas } from '../api';
import { figures, moves, target, wordOf, written } from '../level_words';
import { levelPath } from '../route';
import { Exact, Level, Name, Out, State, When } from './bits';
import { Table, type Column } from './table';

type Transition = Schemas['LevelTransition'];

export function Moves({ rows, whose, several = false }: { rows: Transition[]; whose: boolean; several?: boolean }) {
  const columns: Column<Transition>[] = [
    {
      head: 'Downstream',
      class: 'main',
      cell: (row) => (
        <>
          <a href={several ? `${levelPath(row.downstream)}?upstream=${encodeURIComponent(row.upstream)}` : levelPath(row.downstream)}>
            <Name>{row.downstream}</Name>
          </a>
          {several && (
            <span class="sub">
              for <bdi>{row.upstream}</bdi>
            </span>
          )}
        </>
      ),
    },
    { head: 'Move', class: 'nowrap', help: 'moves', cell: (row) => <State word={wordOf(moves, row.move)} /> },
    { head: 'Level', class: 'nowrap', cell: (row) => <FromTo row={row} /> },
    { head: 'Why', class: 'long', cell: (row) => <Why row={row} /> },
    {
      head: 'When',
      class: 'nowrap',
      cell: (row) => (
        <>
          <When at={row.as_of} />
          <span class="sub">
            <Exact at={row.as_of} />
          </span>
        </>
      ),
    },
  ];
  return <Table label="Moves" class="moves" rows={rows} keyOf={(row) => row.id} columns={whose ? columns : columns.slice(1)} />;
}

function FromTo({ row }: { row: Transition }) {
  return (
    <>
      <Level level={row.from_level} />
      {row.to_level !== row.from_level && (
        <>
          {' → '}
          <Level level={row.to_level} />
        </>
      )}
    </>
  );
}

function Why({ row }: { row: Transition }) {
  return (
    <div>
      <bdi>{row.reason}</bdi>
      {row.pull_request && (
        <>
          {' '}
          <Out to={row.pull_request}>pull request</Out>
        </>
      )}
      <details class="small">
        <summary class="quiet">
          line {row.id}, by <bdi>{row.actor}</bdi>, profile <bdi>{row.profile}</bdi>
        </summary>
        {row.figures.length > 0 && (
          <ul>
            {row.figures.map((figure) => (
              <li key={figure.id}>
                <code>
                  <bdi>{figure.id}</bdi>
                </code>{' '}
                {figures[figure.figure] ?? figure.figure} over {figure.window} d: {written(figure.measured, figure.unit)}
                {figure.bound !== 'none' && `, ${figure.bound} bound ${written(figure.bound === 'lower' ? figure.lower : figure.upper, figure.unit)}`}, n {figure.n},
                asked for {target(figure)}
              </li>
            ))}
          </ul>
        )}
        <p class="quiet">
          written <Exact at={row.at} />, days behind it SHA-256 <code class="wrap">{row.digest}</code>
        </p>
      </details>
    </div>
  );
}
