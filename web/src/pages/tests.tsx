// One failed test: where, when and how often it failed. How often it passed nobody tells.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { count, plural } from '../figures';
import { query } from '../nav';
import { clusterPath, downstreamPath, text } from '../route';
import { Explained, Level, Name, When } from '../widgets/bits';
import { useKnown, Whom } from '../widgets/across';
import { Field, Pager } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { Table } from '../widgets/table';
import { Tabs } from '../widgets/tabs';
import { Occurrences } from './occurrences';

type History = Schemas['TestHistory'];

export function Tests() {
  const name = text(query.value, 'name');
  const known = useKnown();
  const controls = (
    <>
      <Whom known={known} keeps={['name']} />
      <Field label="Name" name="name" placeholder="exactly as reported" />
    </>
  );
  return (
    <Page
      title={name ? `Test ${name}` : 'One test'}
      head={name ? <Name>{name}</Name> : undefined}
      controls={controls}
      tabs={<Tabs of="failures" label="Failures" />}
    >
      {name ? (
        <Loaded name={name} />
      ) : (
        <Empty title="Which test?">
          Write its name exactly as it was reported, or come here from a failed test of a pull request or from a{' '}
          <a href="/clusters">cluster</a>.
        </Empty>
      )}
    </Page>
  );
}

function Loaded({ name }: { name: string }) {
  const now = query.value;
  const asked = { name, upstream: text(now, 'upstream'), downstream: text(now, 'downstream'), cursor: text(now, 'cursor') };
  const answer = useAnswer(address('/api/v1/tests', {}, asked), { topics: ['pull', 'downstream'] });
  return (
    <Shown answer={answer}>
      {(history) => (
        <div aria-busy={answer.loading}>
          {history.failures === 0 && history.occurrences.length === 0 ? (
            <Empty title="This test was never seen to fail">
              Only failures are known here, and only the first 100 of an execution. The name must be exactly the one that was reported.
            </Empty>
          ) : (
            <Whole history={history} />
          )}
        </div>
      )}
    </Shown>
  );
}

function Whole({ history }: { history: History }) {
  const upstreams = new Set(history.downstreams.map(({ upstream }) => upstream));
  return (
    <>
      <p class="answer">
        <strong>
          It failed {plural(history.failures, 'time')} at {plural(history.downstreams.length, 'downstream')}
        </strong>{' '}
        <span class="quiet">
          since <When at={history.first_seen} />, last <When at={history.last_seen} />.{' '}
          <Explained by="test-history">What is counted</Explained>
        </span>
      </p>
      {history.clusters.length > 0 && (
        <p class="line">
          <Explained by="cluster">{plural(history.clusters.length, 'cluster')}</Explained>
          {history.clusters.slice(0, 10).map((id) => (
            <a key={id} href={clusterPath(id)}>
              <code>{id}</code>
            </a>
          ))}
          {history.clusters.length > 10 && <span class="quiet">and {history.clusters.length - 10} more</span>}
        </p>
      )}
      <Section title="Downstreams" aside="ever, last seen first">
        <Table
          label="Downstreams"
          rows={history.downstreams}
          keyOf={(row) => `${row.upstream} ${row.repo}`}
          columns={[
            {
              head: 'Downstream',
              class: 'main',
              cell: (row) => (
                <>
                  <a href={downstreamPath(row.repo)}>
                    <Name>{row.repo}</Name>
                  </a>{' '}
                  <Level level={row.level} effective={row.effective_level} />
                  {upstreams.size > 1 && <span class="sub">for {row.upstream}</span>}
                </>
              ),
            },
            { head: 'Failures', number: true, cell: (row) => count(row.failures) },
            { head: 'First seen', class: 'nowrap', cell: (row) => <When at={row.first_seen} /> },
            { head: 'Last seen', class: 'nowrap', cell: (row) => <When at={row.last_seen} /> },
          ]}
        />
      </Section>
      <Section title="Occurrences" aside="newest first">
        <Occurrences list={history.occurrences} upstream={upstreams.size === 1 ? [...upstreams][0]! : ''} withTest={false} />
      </Section>
      <Pager next={history.next} />
    </>
  );
}
