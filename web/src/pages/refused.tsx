// Reports that the relay did not believe or could not use: why, whose, how often, and what their author has to do.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { capital, count, plural } from '../figures';
import { adjust, adjusted, query } from '../nav';
import { downstreamPath, pathOf, text } from '../route';
import { outcomeWord } from '../words';
import { Exact, Explained, Glyph, Name, When } from '../widgets/bits';
import { Field, Pager } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { OperatorTabs } from '../widgets/operator_tabs';
import { Table } from '../widgets/table';
import { Exports } from '../widgets/twins';

type Refused = Schemas['Refused'];
type Row = Schemas['RefusedRow'];

// A person at the relay has to look after these; the others are their author's.
const ours = ['keys unavailable', 'allowlist not read', 'store unavailable'];

export function Refused() {
  const now = query.value;
  const filters = { downstream: text(now, 'downstream'), reason: text(now, 'reason') };
  const answer = useAnswer(address('/api/v1/refused', {}, { ...filters, cursor: text(now, 'cursor') }), {
    topics: ['relay', 'downstream'],
  });
  const filtered = Boolean(filters.downstream || filters.reason);
  const reasons = new Set([...(answer.data?.totals.by_reason.map(({ reason }) => reason) ?? []), filters.reason].filter(Boolean));
  const controls = (
    <>
      <Field label="Downstream" name="downstream" placeholder="any" />
      <label class="field">
        <span>Reason</span>
        <select value={filters.reason} onChange={(event) => adjust({ reason: event.currentTarget.value, cursor: null })}>
          <option value="">any</option>
          {[...reasons].map((reason) => (
            <option key={reason} value={reason}>
              {reason}
            </option>
          ))}
        </select>
      </label>
    </>
  );
  return (
    <Page title="Refused reports" controls={controls} tabs={<OperatorTabs />}>
      <Shown answer={answer}>
        {(refused) => (
          <div aria-busy={answer.loading}>
            <Summary refused={refused} />
            {refused.totals.n > 0 && (
              <div class="halves">
                <Reasons refused={refused} chosen={filters.reason} />
                <Callers refused={refused} chosen={filters.downstream} />
              </div>
            )}
            <Section
              title="Newest first"
              aside={
                <>
                  <Explained by="refused">one row for each caller, reason and hour</Explained>
                  <Exports path="/api/v1/refused" query={filters} />
                </>
              }
            >
              {refused.rows.length > 0 ? (
                <Rows rows={refused.rows} />
              ) : (
                <Empty title={filtered ? 'No refused report fits these filters' : 'No report was refused, as far back as is kept'}>
                  {filtered ? (
                    <button type="button" class="link" onClick={() => adjust({ downstream: null, reason: null, cursor: null })}>
                      Show all of them
                    </button>
                  ) : (
                    'Each downstream that reports is known, and its reports fit. A refused one would stand here with the reason and what to do.'
                  )}
                </Empty>
              )}
              <Pager next={refused.next} />
            </Section>
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Summary({ refused }: { refused: Refused }) {
  const { totals, dropped } = refused;
  const worst = totals.by_reason[0];
  const relay = totals.by_reason.filter(({ reason }) => ours.includes(reason));
  const { data: status } = useAnswer(address('/api/v1/status'), { topics: ['relay'] });
  const ill = relay.length > 0 && status?.ready === false;
  return (
    <>
      <p class="verdict">
        <Glyph word={worst ? { ...outcomeWord('failure'), tone: ill ? 'failure' : 'timed_out' } : outcomeWord('success')} />
        <span>
          {worst
            ? `${plural(totals.n, 'report was', 'reports were')} refused in 24 hours, most often: ${worst.reason}.`
            : 'No report was refused in 24 hours.'}
          <span class="sub">
            {ill && (
              <>
                The relay itself is not well, and some of it is its own fault: see <a href="/status">its status</a>.{' '}
              </>
            )}
            {relay.length > 0 && !ill && `${plural(relay.reduce((sum, one) => sum + one.count, 0), 'report')} the relay could not check at that moment. `}n {count(totals.n)}, since <Exact at={totals.from} />.
            A refused report is not lost for its author: the answer said why.
          </span>
        </span>
      </p>
      {dropped > 0 && (
        <p class="banner" role="status">
          {plural(dropped, 'refusal is', 'refusals are')} not listed since the relay started: too many came at once, or the store was away.
        </p>
      )}
    </>
  );
}

function Reasons({ refused, chosen }: { refused: Refused; chosen: string }) {
  return (
    <Section title="Why, in 24 hours" aside="the filters of the list do not apply">
      <Table
        label="Refused reports by reason"
        rows={refused.totals.by_reason}
        keyOf={(total) => total.reason}
        columns={[
          {
            head: 'Reason',
            class: 'main nowrap',
            cell: (total) => (
              <a
                data-adjust
                href={adjusted({ reason: total.reason === chosen ? null : total.reason, cursor: null })}
                aria-current={total.reason === chosen ? 'true' : undefined}
              >
                {capital(total.reason)}
              </a>
            ),
          },
          { head: 'Reports', number: true, cell: (total) => count(total.count) },
          { head: 'What to do', class: 'long', cell: (total) => <bdi>{total.hint}</bdi> },
        ]}
      />
    </Section>
  );
}

function Callers({ refused, chosen }: { refused: Refused; chosen: string }) {
  return (
    <Section title="Whose, in 24 hours" aside="most often first">
      <Table
        label="Refused reports by downstream"
        rows={refused.totals.by_downstream}
        keyOf={(total) => total.downstream ?? ''}
        columns={[
          {
            head: 'Caller',
            class: 'main',
            cell: ({ downstream }) =>
              downstream ? (
                <a
                  data-adjust
                  href={adjusted({ downstream: downstream === chosen ? null : downstream, cursor: null })}
                  aria-current={downstream === chosen ? 'true' : undefined}
                >
                  <Name>{downstream}</Name>
                </a>
              ) : (
                <span class="quiet" title="no token was believed, or no allowlist names its repository">
                  unknown and unlisted callers
                </span>
              ),
          },
          { head: 'Reports', number: true, cell: (total) => count(total.count) },
          { head: 'Most often', cell: (total) => total.reason },
          { head: 'Last', class: 'nowrap', cell: (total) => <When at={total.last_at} /> },
        ]}
      />
    </Section>
  );
}

function Rows({ rows }: { rows: Row[] }) {
  return (
    <Table
      label="Refused reports"
      rows={rows}
      keyOf={(row) => row.id}
      columns={[
        {
          head: 'Caller',
          class: 'main',
          cell: (row) =>
            row.downstream ? (
              <>
                <a href={downstreamPath(row.downstream)}>
                  <Name>{row.downstream}</Name>
                </a>
                {text(query.value, 'downstream') !== row.downstream && (
                  <a class="sub" data-adjust href={adjusted({ downstream: row.downstream, cursor: null })}>
                    only this one
                  </a>
                )}
              </>
            ) : (
              <span class="quiet" title="nothing that the caller said can be believed">
                unknown caller
              </span>
            ),
        },
        {
          head: 'Reason',
          class: 'nowrap',
          cell: (row) => (
            <>
              {row.reason} <span class="sub mono">{row.status}</span>
            </>
          ),
        },
        {
          head: 'What it was told',
          class: 'long',
          cell: (row) => (
            <>
              <bdi>{row.detail}</bdi>
              {row.hint && (
                <span class="sub">
                  <bdi>{row.hint}</bdi>
                </span>
              )}
            </>
          ),
        },
        {
          head: 'Delivery',
          class: 'rest',
          dull: (row) => row.delivery === null,
          cell: (row) =>
            row.delivery ? (
              <a class="mono" href={pathOf({ page: 'delivery', id: row.delivery })} title={row.delivery}>
                <bdi>{row.delivery.slice(0, 8)}</bdi>
              </a>
            ) : (
              <span class="quiet">–</span>
            ),
        },
        { head: 'Times', number: true, cell: (row) => count(row.count) },
        {
          head: 'Last',
          class: 'nowrap',
          cell: (row) => (
            <>
              <When at={row.at} />
              {row.count > 1 && (
                <span class="sub">
                  first <When at={row.first_at} />
                </span>
              )}
            </>
          ),
        },
      ]}
    />
  );
}
