// One signature: where, when and how often it was seen, and whose failure it seems to be.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { gapped } from '../days';
import { whoseWord } from '../failure_words';
import { capital, count, countSteps, plural } from '../figures';
import { query } from '../nav';
import { choice, downstreamPath, testPath, text } from '../route';
import { Explained, Glyph, Level, Mark, Name, When } from '../widgets/bits';
import { windowWords } from '../widgets/across';
import { chosenWindow, Pager, Switch, WindowSwitch } from '../widgets/controls';
import { Page, Section, Shown } from '../widgets/frame';
import { Lines } from '../widgets/lines_later';
import { Table } from '../widgets/table';
import { Tabs } from '../widgets/tabs';
import { PullsOf } from './clusters';
import { Occurrences } from './occurrences';

type Detail = Schemas['ClusterDetail'];

export function Cluster({ id }: { id: string }) {
  const asked = { window: chosenWindow(), cursor: text(query.value, 'cursor') };
  const answer = useAnswer(address('/api/v1/clusters/{id}', { id }, asked), { topics: ['pull', 'downstream'] });
  return (
    <Page
      title={answer.data ? `Cluster ${answer.data.cluster.test}` : `Cluster ${id}`}
      head={answer.data && <Name>{answer.data.cluster.test}</Name>}
      controls={<WindowSwitch />}
      tabs={<Tabs of="failures" label="Failures" />}
    >
      <Shown answer={answer}>
        {(detail) => (
          <div aria-busy={answer.loading}>
            <Verdict detail={detail} />
            <Days detail={detail} />
            <Section title="Downstreams" aside={`in ${windowWords(detail.window)} · most failures first`}>
              <Where detail={detail} />
            </Section>
            <Section title="Occurrences" aside="newest first, whatever the window">
              <Occurrences
                list={detail.occurrences}
                upstream={detail.cluster.upstream}
                withTest={detail.occurrences.some(({ test }) => test !== detail.cluster.test)}
              />
            </Section>
            <Pager next={detail.next} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Verdict({ detail }: { detail: Detail }) {
  const { cluster } = detail;
  const word = whoseWord(cluster.verdict);
  return (
    <>
      <p class={`verdict tone-text-${word.tone}`}>
        <Glyph word={word} />
        <span>
          <strong>{capital(word.word)}.</strong>{' '}
          <span class="verdict-text">
            {plural(cluster.failures, 'failure')} at {plural(cluster.downstreams.length, 'downstream')} in {windowWords(detail.window)}
            {cluster.on_base ? ', also on trunk' : ', not on trunk'}
          </span>
        </span>
      </p>
      <p class="line">
        <Explained by="attribution">{word.meaning}</Explained>
        <span>
          first seen <When at={cluster.first_seen} />
        </span>
        <span>
          last seen <When at={cluster.last_seen} />
        </span>
        {cluster.tests > 1 && (
          <Mark title="tests that ever failed so">{cluster.tests >= 1000 ? '1,000 tests or more' : plural(cluster.tests, 'test')}</Mark>
        )}
        <a href={testPath(cluster.test)}>history of this test</a>
        <span>
          pull requests <PullsOf cluster={cluster} most={10} />
        </span>
      </p>
      <Section title={<Explained by="cluster">Signature</Explained>} aside="what is the same in all of them">
        <pre>{cluster.signature}</pre>
        <h3 class="under">Newest message</h3>
        <pre>{cluster.message}</pre>
      </Section>
    </>
  );
}

function Days({ detail }: { detail: Detail }) {
  const asTable = choice(query.value, 'days', ['chart', 'table']) === 'table';
  const { at, days } = gapped(detail.days, detail.window.from, detail.window.until);
  const aside = (
    <>
      <span>{windowWords(detail.window)}</span>
      <Switch label="Days as" name="days" fallback="chart" options={['chart', 'table'].map((value) => ({ value, words: value }))} />
    </>
  );
  return (
    <Section title="Failures by day" aside={aside}>
      {detail.days.length === 0 ? (
        <p class="quiet">None in this window; a longer one has them.</p>
      ) : asTable ? (
        <Table
          label="Failures by day"
          rows={[...detail.days].reverse()}
          keyOf={(day) => day.day}
          columns={[
            { head: 'Day, UTC', class: 'main', cell: (day) => day.day },
            { head: 'Failures', number: true, cell: (day) => count(day.failures) },
          ]}
        />
      ) : (
        <Lines
          label={`Failures on ${plural(detail.days.length, 'day')}; the table has the numbers`}
          at={at}
          days
          write={count}
          steps={countSteps}
          lines={[{ name: 'failures', values: days.map((day) => day?.failures ?? null), colour: '--tone-failure', bars: true }]}
        />
      )}
    </Section>
  );
}

function Where({ detail }: { detail: Detail }) {
  if (detail.cluster.downstreams.length === 0) return <p class="quiet">Nobody in this window.</p>;
  return (
    <Table
      label="Downstreams"
      rows={detail.cluster.downstreams}
      keyOf={(row) => row.repo}
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
            </>
          ),
        },
        { head: 'Failures', number: true, cell: (row) => count(row.failures) },
        { head: 'First seen', class: 'nowrap', cell: (row) => <When at={row.first_seen} /> },
        { head: 'Last seen', class: 'nowrap', cell: (row) => <When at={row.last_seen} /> },
      ]}
    />
  );
}
