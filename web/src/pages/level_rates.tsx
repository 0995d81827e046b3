// Raw and adjusted rates side by side, as the ladder counts them.
import type { Schemas } from '../api';
import { count, percent } from '../figures';
import { Section } from '../widgets/frame';
import { Table } from '../widgets/table';

type Measure = Schemas['LevelMeasure'];

export function LevelRates({ detail }: { detail: Schemas['LevelDetail'] }) {
  if (detail.rates.length === 0) return null;
  return (
    <Section title="Rates side by side" aside="one-sided 95 % bounds; both are always shown">
      <Table
        label="Rates side by side"
        rows={detail.rates}
        keyOf={(row) => row.window}
        columns={[
          { head: 'Window', class: 'main nowrap', cell: (row) => `${row.window} d` },
          { head: 'Raw', help: 'level-rates', cell: (row) => <Share of={row.raw} /> },
          { head: 'After exclusions', help: 'level-rates', cell: (row) => <Share of={row.adjusted} /> },
          { head: 'Events all green', help: 'level-rates', cell: (row) => <Share of={row.run} /> },
          { head: 'Excluded', help: 'exclusions', cell: (row) => <Share of={row.excluded} /> },
        ]}
      />
    </Section>
  );
}

function Share({ of }: { of: Measure }) {
  return (
    <div>
      <strong>{percent(of.value)}</strong>
      <span class="sub">
        {of.lower !== null && of.upper !== null && `${percent(of.lower)} to ${percent(of.upper)}, `}n {count(of.n)}
      </span>
    </div>
  );
}
