// Failures that are the same, taken together: what breaks several pull requests or downstreams at once.
import { address, type Schemas } from '../api';
import { whoseWord } from '../failure_words';
import { count, plural } from '../figures';
import { query } from '../nav';
import { clusterPath, downstreamPath, pullPath, text } from '../route';
import { Explained, Level, Mark, Name, State, When } from '../widgets/bits';
import { useKnown, Whom } from '../widgets/across';
import { chosenWindow, WindowSwitch } from '../widgets/controls';
import { Empty, Page, Shown } from '../widgets/frame';
import { More, useGrowing } from '../widgets/more';
import { Table } from '../widgets/table';
import { Tabs } from '../widgets/tabs';
import { Exports } from '../widgets/twins';

type Cluster = Schemas['Cluster'];

const ways = { keyOf: (row: Cluster) => row.id, atOf: (row: Cluster) => row.last_seen };

export function Clusters() {
  const now = query.value;
  const asked = { window: chosenWindow(), upstream: text(now, 'upstream'), downstream: text(now, 'downstream') };
  const list = useGrowing<Cluster>(
    address('/api/v1/clusters', {}, asked),
    (cursor) => address('/api/v1/clusters', {}, { ...asked, limit: 200, cursor }),
    { topics: ['pull', 'downstream'] },
    ways,
  );
  const known = useKnown();
  const controls = (
    <>
      <Whom known={known} />
      <WindowSwitch />
      <Exports path="/api/v1/clusters" query={asked} />
    </>
  );
  return (
    <Page title="Failure clusters" controls={controls} tabs={<Tabs of="failures" label="Failures" />}>
      <Shown answer={list.answer}>
        {() => (
          <div aria-busy={list.answer.loading || list.loading}>
            {list.rows.length === 0 ? (
              <Empty title="No failed test in this window">
                Either all is well, or jobs report no test names: a cluster needs them. A longer window may have some.
              </Empty>
            ) : (
              <>
                <Answer rows={list.rows} window={asked.window} />
                <List rows={list.rows} />
                <More list={list} what="cluster" auto />
              </>
            )}
          </div>
        )}
      </Shown>
    </Page>
  );
}

// The one that touches most downstreams; of those, most pull requests.
function Answer({ rows, window }: { rows: Cluster[]; window: string }) {
  const [widest] = [...rows].sort((a, b) => b.downstreams.length - a.downstreams.length || b.pulls.n - a.pulls.n);
  return (
    <p class="answer">
      <strong>
        {widest && widest.downstreams.length > 1 ? (
          <>
            The widest is at {plural(widest.downstreams.length, 'downstream')} and {plural(widest.pulls.n, 'pull request')}:{' '}
            <a href={clusterPath(widest.id)}>
              <Name>{widest.test}</Name>
            </a>
          </>
        ) : (
          'No failure is shared by several downstreams'
        )}
      </strong>{' '}
      <span class="quiet">
        {plural(rows.length, 'cluster')} listed, {window.replace('d', '')} days to today, UTC, last seen first.{' '}
        <Explained by="cluster">What a cluster is</Explained>
      </span>
    </p>
  );
}

function List({ rows }: { rows: Cluster[] }) {
  return (
    <Table
      label="Clusters"
      class="clusters"
      rows={rows}
      keyOf={(row) => row.id}
      columns={[
        {
          head: 'What fails',
          class: 'main',
          cell: (row) => (
            <>
              <a href={clusterPath(row.id)}>
                <Name>{row.test}</Name>
              </a>
              <span class="sub clip">
                <bdi>{row.message}</bdi>
              </span>
            </>
          ),
        },
        {
          head: 'Whose',
          help: 'attribution',
          class: 'nowrap',
          cell: (row) => (
            <>
              <State word={whoseWord(row.verdict)} />
              {row.on_base && (
                <span class="sub">
                  <Mark title="seen by push or nightly in the window">on trunk</Mark>
                </span>
              )}
            </>
          ),
        },
        { head: 'Failures', number: true, cell: (row) => count(row.failures) },
        {
          head: 'Downstreams',
          cell: (row) => (
            <ul>
              {row.downstreams.slice(0, 3).map(({ repo, level, effective_level }) => (
                <li key={repo}>
                  <Level level={level} effective={effective_level} />{' '}
                  <a href={downstreamPath(repo)}>
                    <Name>{repo}</Name>
                  </a>
                </li>
              ))}
              {row.downstreams.length > 3 && <li class="quiet">and {row.downstreams.length - 3} more</li>}
            </ul>
          ),
        },
        { head: 'Pull requests', cell: (row) => <PullsOf cluster={row} most={3} /> },
        {
          head: 'Last seen',
          class: 'nowrap',
          cell: (row) => (
            <>
              <When at={row.last_seen} />
              <span class="sub">
                first <When at={row.first_seen} />
              </span>
            </>
          ),
        },
      ]}
    />
  );
}

export function PullsOf({ cluster, most }: { cluster: Cluster; most: number }) {
  const { n, numbers } = cluster.pulls;
  if (n === 0) return <span class="quiet">none</span>;
  const shown = numbers.slice(0, most);
  return (
    <span class="numbers">
      {shown.map((number) => (
        <a key={number} href={pullPath(cluster.upstream, number)}>
          #{number}
        </a>
      ))}
      {n > shown.length && (
        <span class="quiet">
          and {count(n - shown.length)}
          {n >= 200 ? ' or more' : ' more'}
        </span>
      )}
    </span>
  );
}
