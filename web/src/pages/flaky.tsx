// Jobs that pass and fail on the same commit, the surest first.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { count, percent } from '../figures';
import { query } from '../nav';
import { downstreamPath, jobPath, text } from '../route';
import { Explained, Level, Mark, Name, When } from '../widgets/bits';
import { useKnown, Whom, windowWords } from '../widgets/across';
import { chosenWindow, Pager, WindowSwitch } from '../widgets/controls';
import { Empty, Page, Shown } from '../widgets/frame';
import { Table } from '../widgets/table';
import { Tabs } from '../widgets/tabs';
import { Exports } from '../widgets/twins';

type Flaky = Schemas['Flaky'];
type FlakyJob = Schemas['FlakyJob'];

export function Flaky() {
  const now = query.value;
  const asked = {
    window: chosenWindow('30d'),
    upstream: text(now, 'upstream'),
    downstream: text(now, 'downstream'),
    cursor: text(now, 'cursor'),
  };
  const answer = useAnswer(address('/api/v1/flaky', {}, asked), { topics: ['downstream'] });
  const known = useKnown();
  const controls = (
    <>
      <Whom known={known} />
      <WindowSwitch fallback="30d" />
      <Exports path="/api/v1/flaky" query={{ ...asked, cursor: null }} />
    </>
  );
  return (
    <Page title="Flaky jobs" controls={controls} tabs={<Tabs of="failures" label="Failures" />}>
      <Shown answer={answer}>
        {(flaky) => (
          <div aria-busy={answer.loading}>
            {flaky.rows.length === 0 ? (
              <Empty title="No job was flaky in this window">
                A job is flaky when it failed and passed on one commit. Who never re-runs what failed is never seen to be flaky.
              </Empty>
            ) : (
              <>
                <Answer flaky={flaky} />
                <List flaky={flaky} />
                <Pager next={flaky.next} />
              </>
            )}
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Answer({ flaky }: { flaky: Flaky }) {
  const first = flaky.rows[0]!;
  return (
    <p class="answer">
      <strong>
        <Name>{first.job || first.workflow}</Name> of <Name>{first.downstream}</Name> is surest to be flaky: {percent(first.rate.value)} of
        what passed
      </strong>{' '}
      <span class="quiet">
        {windowWords(flaky.window)}. Ranked by the lower end of the interval, so that few samples do not lead.{' '}
        <Explained by="flake-rate">How it is counted</Explained>
      </span>
    </p>
  );
}

function List({ flaky }: { flaky: Flaky }) {
  return (
    <Table
      label="Flaky jobs"
      rows={flaky.rows.map((row, at) => ({ ...row, at }))}
      keyOf={(row) => row.at}
      columns={[
        {
          head: 'Job',
          class: 'main',
          cell: (row) => (
            <>
              <a href={jobPath(row.downstream, row.workflow, row.job)}>
                <Name>{row.job || row.workflow}</Name>
              </a>
              {row.job && (
                <span class="sub">
                  <bdi>{row.workflow}</bdi>
                </span>
              )}
            </>
          ),
        },
        {
          head: 'Downstream',
          cell: (row) => (
            <>
              <Level level={row.level} effective={row.effective_level} />{' '}
              <a href={downstreamPath(row.downstream)}>
                <Name>{row.downstream}</Name>
              </a>
            </>
          ),
        },
        { head: 'Flake rate', help: 'flake-rate', cell: (row) => <FlakeRate row={row} /> },
        { head: 'Newest', cell: (row) => <Examples row={row} /> },
      ]}
    />
  );
}

// Here much is bad, so that the colours of pass rates do not apply.
function FlakeRate({ row }: { row: FlakyJob }) {
  const { low, high, value, few } = row.rate;
  return (
    <>
      <strong>{percent(value)}</strong>{' '}
      <span class="quiet nowrap">
        {count(row.flaky)} of {count(row.n)}
      </span>{' '}
      {few && <Mark title="fewer than 20 samples">low data</Mark>}
      {low !== null && high !== null && (
        <span class="sub">
          at least {percent(low)}, at most {percent(high)}
        </span>
      )}
    </>
  );
}

function Examples({ row }: { row: FlakyJob }) {
  return (
    <ul class="small linked">
      {row.examples.map((example) => (
        <li key={example.job}>
          <a href={`/job/${example.job}`}>{example.number === null ? example.event_type.replace('_', ' ') : `#${example.number}`}</a>{' '}
          <span class="quiet">
            <When at={example.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
