// Failed tests of executions, one row each.
import type { Schemas } from '../api';
import { downstreamPath, pullPath, testPath } from '../route';
import { Name, Sha, When } from '../widgets/bits';
import { Table, type Column } from '../widgets/table';

type Occurrence = Schemas['Occurrence'];

export function Occurrences({ list, upstream, withTest }: { list: Occurrence[]; upstream: string; withTest: boolean }) {
  if (list.length === 0) return <p class="quiet">None.</p>;
  const what: Column<Occurrence & { at_: number }> = {
    head: withTest ? 'Test' : 'Message',
    class: 'main',
    cell: (row) => (
      <>
        {withTest && (
          <a href={testPath(row.test)}>
            <Name>{row.test}</Name>
          </a>
        )}
        <span class="sub clip">
          <bdi>{row.message}</bdi>
        </span>
      </>
    ),
  };
  const columns: Column<Occurrence & { at_: number }>[] = [
    {
      head: 'Downstream',
      cell: (row) => (
        <a href={downstreamPath(row.downstream)}>
          <Name>{row.downstream}</Name>
        </a>
      ),
    },
    {
      head: 'On',
      class: 'nowrap linked',
      cell: (row) => (
        <>
          {row.number === null || !upstream ? (
            <span class="quiet">{row.number === null ? row.event_type.replace('_', ' ') : `#${row.number}`}</span>
          ) : (
            <a href={`${pullPath(upstream, row.number)}?sha=${encodeURIComponent(row.sha)}`}>#{row.number}</a>
          )}{' '}
          <Sha sha={row.sha} />
        </>
      ),
    },
    {
      head: 'When',
      class: 'nowrap',
      cell: (row) => (
        <a href={`/job/${row.job}`}>
          <When at={row.at} />
        </a>
      ),
    },
  ];
  return (
    <Table
      label="Occurrences"
      class="occurrences"
      rows={list.map((row, at) => ({ ...row, at_: at }))}
      keyOf={(row) => row.at_}
      columns={[what, ...columns]}
    />
  );
}
