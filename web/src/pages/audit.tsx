// Who did what by hand, and why.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { adjust, query } from '../nav';
import { downstreamPath, pathOf, pullPath, text } from '../route';
import { Exact, Name, When } from '../widgets/bits';
import { Pager } from '../widgets/controls';
import { Empty, Page, Shown } from '../widgets/frame';
import { OperatorTabs } from '../widgets/operator_tabs';
import { Table } from '../widgets/table';
import { Exports } from '../widgets/twins';

type Row = Schemas['AuditRow'];

export const actions: Record<Row['action'], string> = {
  redelivered: 'sent again',
  rerun_ordered: 'run again',
  suspended: 'suspended',
  resumed: 'resumed',
  gate_suspended: 'taken out of the gate',
  gate_resumed: 'back in the gate',
  tested: 'test sent',
  repinned: 'pinned anew',
  letters_revived: 'letters revived',
  noted: 'note written',
  note_removed: 'note removed',
  acknowledged: 'acknowledged',
  acknowledgement_lifted: 'acknowledgement lifted',
};

export function Audit() {
  const action = text(query.value, 'action');
  const answer = useAnswer(address('/api/v1/audit', {}, { action, cursor: text(query.value, 'cursor') }), {
    topics: ['relay', 'downstream', 'pull'],
  });
  const controls = (
    <>
      <label class="field">
        <span>Action</span>
        <select value={action} onChange={(event) => adjust({ action: event.currentTarget.value, cursor: null })}>
          <option value="">any</option>
          {Object.entries(actions).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <Exports path="/api/v1/audit" query={{ action }} />
    </>
  );
  return (
    <Page title="Audit" controls={controls} tabs={<OperatorTabs />}>
      <Shown answer={answer}>
        {(audit) => (
          <div aria-busy={answer.loading}>
            {audit.rows.length > 0 ? (
              <>
                <Newest row={audit.rows[0]!} first={!text(query.value, 'cursor')} />
                <Rows rows={audit.rows} />
              </>
            ) : action ? (
              <Empty title="Nobody did this">
                <button type="button" class="link" onClick={() => adjust({ action: null, cursor: null })}>
                  Show everything that was done
                </button>
              </Empty>
            ) : (
              <Empty title="Nobody did anything by hand yet">
                Whatever is ordered from these pages, by the command line or by a comment on GitHub stands here, with who and why.
              </Empty>
            )}
            <Pager next={audit.next} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Newest({ row, first }: { row: Row; first: boolean }) {
  if (!first) return null;
  return (
    <p class="lead">
      <Name>{row.actor || 'Somebody'}</Name> did the newest of these <When at={row.at} />.{' '}
      <span class="quiet">What concerns private downstreams is left out.</span>
    </p>
  );
}

function Rows({ rows }: { rows: Row[] }) {
  return (
    <Table
      label="What was done by hand"
      rows={rows}
      keyOf={(row) => row.id}
      columns={[
        { head: 'What', class: 'main nowrap', cell: (row) => actions[row.action] ?? row.action },
        { head: 'To', cell: (row) => <Subject subject={row.subject} /> },
        { head: 'By', cell: (row) => (row.actor ? <Name>{row.actor}</Name> : <span class="quiet">not recorded</span>) },
        {
          head: 'Why',
          class: 'long',
          cell: (row) => (
            <>
              {row.reason ? <bdi>{row.reason}</bdi> : <span class="quiet">no reason was given</span>}
              {row.detail && row.detail !== row.reason && (
                <span class="sub">
                  <bdi>{row.detail}</bdi>
                </span>
              )}
            </>
          ),
        },
        {
          head: 'When',
          class: 'nowrap',
          cell: (row) => (
            <>
              <When at={row.at} />
              <span class="sub">
                <Exact at={row.at} />
              </span>
            </>
          ),
        },
      ]}
    />
  );
}

// Subjects are names; what looks like a page of ours is a link to it.
function Subject({ subject }: { subject: string }) {
  const to = subjectPath(subject);
  return to ? (
    <a href={to}>
      <Name>{subject}</Name>
    </a>
  ) : (
    <Name>{subject}</Name>
  );
}

export function subjectPath(subject: string): string | null {
  const pull = /^([\w.-]+\/[\w.-]+)#(\d{1,9})$/.exec(subject);
  if (pull) return pullPath(pull[1]!, Number(pull[2]));
  if (/^[\w.-]+\/[\w.-]+$/.test(subject)) return downstreamPath(subject);
  return /^[0-9a-f]{8}-[0-9a-f-]{20,}$/i.test(subject) ? pathOf({ page: 'delivery', id: subject }) : null;
}
