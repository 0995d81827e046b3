// Rows with aligned columns; on a phone each row becomes a card. The roles stay when the style sheet takes the table's layout away.
import type { ComponentChildren } from 'preact';
import { Explained } from './bits';

export interface Column<Row> {
  head: string;
  cell: (row: Row) => ComponentChildren;
  number?: boolean;
  help?: string; // an anchor of the help page
  class?: string;
  dull?: (row: Row) => boolean; // says nothing here: left out on a phone
}

interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string | number;
  class?: string;
}

export function Table<Row>({ label, columns, rows, keyOf, class: look = '' }: Props<Row>) {
  return (
    <table class={`rows ${look}`} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.head} role="columnheader" scope="col" class={classOf(column)}>
              {column.help ? <Explained by={column.help}>{column.head}</Explained> : column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row" data-row>
            {columns.map((column, at) =>
              at === 0 ? (
                <th key={column.head} role="rowheader" scope="row" class={classOf(column)}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.head} role="cell" class={`${classOf(column)} ${column.dull?.(row) ? 'dull' : ''}`} data-head={column.head}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf<Row>(column: Column<Row>): string {
  return [column.number ? 'number' : '', column.class ?? ''].filter(Boolean).join(' ');
}
