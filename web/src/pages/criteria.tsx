// What a level asks for, criterion by criterion: target, measured, how sure, how it went, what would change it.
import type { Schemas } from '../api';
import { count } from '../figures';
import { adviceOf, figures, kinds, met, target, wordOf, written } from '../level_words';
import { Exact, State } from '../widgets/bits';
import { Spark } from '../widgets/spark';
import { Table } from '../widgets/table';

type Criterion = Schemas['LevelCriterion'];

export function Criteria({ label, list }: { label: string; list: Criterion[] }) {
  return (
    <Table
      label={label}
      class="criteria"
      rows={list}
      keyOf={(row) => `${row.kind} ${row.id}`}
      columns={[
        {
          head: 'Criterion',
          class: 'main',
          cell: (row) => (
            <>
              <bdi>{row.text || row.id}</bdi>
              <span class="sub">
                {figures[row.figure] ?? row.figure} · <bdi>{row.id}</bdi>
                {kinds[row.kind] && ` · ${kinds[row.kind]}`}
              </span>
            </>
          ),
        },
        {
          head: 'Asked for',
          class: 'nowrap',
          help: 'criterion',
          cell: (row) => (
            <div>
              {target(row)}
              <span class="sub">
                {row.bound !== 'none' && `${row.bound} bound, `}
                {timeless(row) ? 'since it is listed' : `over ${row.window} d`}
              </span>
            </div>
          ),
        },
        { head: 'Measured', class: 'nowrap', cell: (row) => <Measured row={row} /> },
        { head: 'Trend', help: 'trend', class: 'rest', cell: (row) => <Spark criterion={row} /> },
        { head: 'Verdict', class: 'nowrap', cell: (row) => <State word={wordOf(met, row.met)} /> },
        {
          head: 'What would change it',
          class: 'long',
          dull: (row) => !row.advice,
          cell: (row) => (row.advice ? <bdi>{adviceOf(row)}</bdi> : <span class="quiet">–</span>),
        },
      ]}
    />
  );
}

// Time at a level is no sample of a window.
function timeless({ figure }: Criterion): boolean {
  return figure === 'tenure_l2' || figure === 'tenure_l3';
}

function Measured({ row }: { row: Criterion }) {
  const bounds =
    row.bound === 'none' || row.lower === null || row.upper === null
      ? row.lower !== null && row.upper !== null
        ? `${written(row.lower, row.unit)} to ${written(row.upper, row.unit)}, `
        : ''
      : `${row.bound} bound ${written(row.bound === 'lower' ? row.lower : row.upper, row.unit)}, `;
  return (
    <div>
      {row.measured === null ? <span class="quiet">not known</span> : <strong>{written(row.measured, row.unit)}</strong>}
      {!timeless(row) && (
        <span class="sub">
          {bounds}n {count(row.n)}
          {row.least > row.n && ` of ${count(row.least)} needed`}
        </span>
      )}
    </div>
  );
}

// The twin of the trend lines: every evaluation as a row.
export function TrendTable({ list }: { list: Criterion[] }) {
  const moments = [...new Set(list.flatMap(({ trend }) => trend.map(({ as_of }) => as_of)))].sort().reverse();
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The last evaluations">
      <Table
        label="The last evaluations"
        class="tight"
        rows={moments}
        keyOf={(moment) => moment}
        columns={[
          { head: 'Evaluated', class: 'main nowrap', cell: (moment) => <Exact at={moment} /> },
          ...list.map((criterion) => ({
            head: criterion.id,
            number: true,
            cell: (moment: string) => {
              const point = criterion.trend.find(({ as_of }) => as_of === moment);
              if (!point) return <span class="quiet">–</span>;
              return (
                <span class={`tone-text-${wordOf(met, point.met).tone}`} title={`${wordOf(met, point.met).word}, n ${count(point.n)}`}>
                  {written(point.value, criterion.unit)}
                </span>
              );
            },
          })),
        ]}
      />
    </div>
  );
}
