// How long things waited and ran, as percentiles.
import type { Schemas } from '../api';
import { count } from '../figures';
import { duration } from '../time';
import { Table } from './table';

export function Times({ queue, run }: { queue: Schemas['Spread']; run: Schemas['Spread'] }) {
  const rows = [
    { name: 'Queue', spread: queue },
    { name: 'Run', spread: run },
  ];
  return (
    <Table
      label="Times"
      rows={rows}
      keyOf={(row) => row.name}
      columns={[
        { head: '', class: 'main', cell: (row) => row.name },
        { head: 'P50', number: true, cell: (row) => duration(row.spread.p50_ms) },
        { head: 'P90', number: true, cell: (row) => duration(row.spread.p90_ms) },
        { head: 'P95', number: true, cell: (row) => duration(row.spread.p95_ms) },
        { head: 'P99', number: true, cell: (row) => duration(row.spread.p99_ms) },
        { head: 'n', number: true, cell: (row) => count(row.spread.n) },
      ]}
    />
  );
}
