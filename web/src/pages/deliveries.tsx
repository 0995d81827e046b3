// Webhooks as they came: did it arrive, and what became of it?
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { bytes } from '../figures';
import { adjust, query } from '../nav';
import { pathOf, pullPath, text } from '../route';
import { dispatchStates, worstWord } from '../words';
import { Mark, Name, Sha, State, When } from '../widgets/bits';
import { Field, Pager } from '../widgets/controls';
import { Empty, Page, Shown } from '../widgets/frame';
import { Table, type Column } from '../widgets/table';
import { Exports } from '../widgets/twins';

type Row = Schemas['DeliveryRow'];

const columns: Column<Row>[] = [
  {
    head: 'Delivery',
    class: 'main',
    cell: (row) => (
      <a href={pathOf({ page: 'delivery', id: row.id })} class="mono">
        <Name>{row.id}</Name>
      </a>
    ),
  },
  {
    head: 'Event',
    cell: (row) => (
      <>
        <bdi>{row.event}</bdi>
        {row.action && (
          <span class="quiet">
            {' '}
            <bdi>{row.action}</bdi>
          </span>
        )}
      </>
    ),
  },
  {
    head: 'About',
    cell: (row) =>
      row.number !== null ? (
        <a href={pullPath(row.repository, row.number)}>
          <Name>{row.repository}</Name> #{row.number}
        </a>
      ) : (
        <Name>{row.repository}</Name>
      ),
  },
  { head: 'Commit', cell: (row) => (row.sha ? <Sha sha={row.sha} /> : <span class="quiet">–</span>) },
  { head: 'Stands', class: 'nowrap', help: 'worst', cell: (row) => <Stands row={row} /> },
  { head: 'Size', number: true, cell: (row) => bytes(row.body_bytes) },
  { head: 'Came', class: 'nowrap', cell: (row) => <When at={row.received_at} /> },
];

// The worst of its dispatches: whoever looks for what got lost should not have to open each. How many of them stand so the relay does not tell.
function Stands({ row }: { row: Row }) {
  if (row.state === 'to_plan') return <Mark title="accepted, waiting to be planned">to be planned</Mark>;
  return row.worst === null ? <span class="quiet">nothing to send</span> : <State word={worstWord(row.worst)} />;
}

export function Deliveries() {
  const now = query.value;
  const asked = { event: text(now, 'event'), number: text(now, 'number'), state: text(now, 'state'), cursor: text(now, 'cursor') };
  const answer = useAnswer(address('/api/v1/deliveries', {}, asked), { topics: ['pull', 'downstream', 'relay'] });
  const filtered = Object.values(asked).some(Boolean);
  const controls = (
    <>
      <Field label="Pull request" name="number" numeric placeholder="any" />
      <Field label="Event" name="event" placeholder="any" />
      <label class="field">
        <span>Has a dispatch</span>
        <select value={asked.state} onChange={(event) => adjust({ state: event.currentTarget.value, cursor: null })}>
          <option value="">in any state</option>
          {Object.entries(dispatchStates)
            .filter(([state]) => state !== 'none')
            .map(([state, word]) => (
              <option key={state} value={state}>
                {word.word}
              </option>
            ))}
        </select>
      </label>
      <Exports path="/api/v1/deliveries" query={{ ...asked, cursor: null }} />
    </>
  );
  return (
    <Page title="Deliveries" controls={controls}>
      <Shown answer={answer}>
        {(deliveries) => (
          <div aria-busy={answer.loading}>
            {deliveries.rows.length > 0 ? (
              <Table label="Deliveries" class="deliveries" columns={columns} rows={deliveries.rows} keyOf={(row) => row.id} />
            ) : filtered ? (
              <Empty title="No delivery fits these filters">
                <button type="button" class="link" onClick={() => adjust({ event: null, number: null, state: null, cursor: null })}>
                  Show all of them
                </button>
              </Empty>
            ) : (
              <Empty title="No webhook has come yet">
                Point the GitHub App's webhook at <code>/github/webhook</code> of this address. What arrives is listed here at once.
              </Empty>
            )}
            <Pager next={deliveries.next} />
          </div>
        )}
      </Shown>
    </Page>
  );
}
