// What is wrong with a file, by line.
import type { Schemas } from '../api';
import { Table } from '../widgets/table';
import { State } from '../widgets/bits';
import type { Word } from '../words';

type Finding = Schemas['QualityFinding'];

const severities: Record<Finding['severity'], Word> = {
  error: { glyph: '×', tone: 'failure', word: 'error', meaning: 'It has to be mended.' },
  warning: { glyph: '!', tone: 'timed_out', word: 'warning', meaning: 'Somebody should look at it.' },
};

export function Findings({ findings, label }: { findings: Finding[]; label: string }) {
  return (
    <Table
      label={label}
      class="findings"
      rows={findings.map((finding, at) => ({ ...finding, at }))}
      keyOf={({ at }) => at}
      columns={[
        { head: 'Code', class: 'nowrap', cell: ({ code }) => <code>{code}</code> },
        { head: 'Kind', class: 'nowrap', cell: ({ severity }) => <State word={severities[severity]} /> },
        { head: 'Line', number: true, cell: ({ line, column }) => (line > 0 ? `${line}:${column}` : '–') },
        {
          head: 'What',
          class: 'long',
          cell: ({ message, hint }) => (
            <>
              <bdi>{message}</bdi>
              {hint && (
                <span class="sub">
                  <bdi>{hint}</bdi>
                </span>
              )}
            </>
          ),
        },
      ]}
    />
  );
}
