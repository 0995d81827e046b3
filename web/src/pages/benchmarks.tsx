// Benchmarks of one downstream: what is away from its usual value, and how it went.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { markWord } from '../failure_words';
import { count, measure, moreOrLess, plural } from '../figures';
import { adjust, adjusted, query } from '../nav';
import { choice, pullPath, text } from '../route';
import { Explained, Name, Sha, State, When } from '../widgets/bits';
import { useKnown, Whom, windowWords, type Known } from '../widgets/across';
import { chosenWindow, Switch, WindowSwitch } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { Lines } from '../widgets/lines_later';
import { Table } from '../widgets/table';
import { Tabs } from '../widgets/tabs';

type Benchmarks = Schemas['Benchmarks'];
type Series = Schemas['BenchmarkSeries'];

export function Benchmarks() {
  const known = useKnown();
  const downstream = text(query.value, 'downstream');
  const controls = (
    <>
      <Whom known={known} all="choose one" />
      <WindowSwitch fallback="30d" />
    </>
  );
  return (
    <Page title="Benchmarks" controls={controls} tabs={<Tabs of="time" label="Over time" />}>
      {downstream ? <Loaded downstream={downstream} /> : <Choose known={known} />}
    </Page>
  );
}

// Values of different machines say nothing about each other, so that one is looked at, at a time.
function Choose({ known }: { known: Known }) {
  return (
    <>
      <p class="answer">
        <strong>Whose benchmarks?</strong>{' '}
        <span class="quiet">Values of different machines say nothing about each other, so one downstream is shown at a time.</span>
      </p>
      {known.downstreams.length === 0 ? (
        <Empty title="No downstream is listed yet">One line in the allowlist adds the first.</Empty>
      ) : (
        <ul class="choices">
          {known.downstreams.map((name) => (
            <li key={name} data-row>
              <a data-adjust href={adjusted({ downstream: name })}>
                <Name>{name}</Name>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Loaded({ downstream }: { downstream: string }) {
  const now = query.value;
  const suite = text(now, 'suite');
  const upstream = text(now, 'upstream');
  const answer = useAnswer(
    address('/api/v1/benchmarks', {}, { downstream, upstream, window: chosenWindow('30d'), suite: text(now, 'only') }),
    {
      topics: ['downstream'],
      downstream,
    },
  );
  const name = text(now, 'name');
  return (
    <Shown answer={answer}>
      {(benchmarks) => (
        <div aria-busy={answer.loading}>
          <Answer benchmarks={benchmarks} />
          {name && <OneSeries downstream={downstream} upstream={upstream} suite={suite} name={name} />}
          <List benchmarks={benchmarks} />
          <Rule />
        </div>
      )}
    </Shown>
  );
}

function Answer({ benchmarks }: { benchmarks: Benchmarks }) {
  const worse = benchmarks.rows.filter(({ newest }) => newest.mark === 'worse');
  const first = worse[0];
  if (benchmarks.rows.length === 0) return null;
  return (
    <p class="answer">
      <strong>
        {first ? (
          <>
            {plural(worse.length, 'benchmark is', 'benchmarks are')} worse than usual, first <Name>{first.name}</Name>
            {first.change !== null && ` (${moreOrLess(first.change)})`}
          </>
        ) : (
          'No benchmark is worse than usual'
        )}
      </strong>{' '}
      <span class="quiet">
        of {count(benchmarks.rows.length)} listed, {windowWords(benchmarks.window)}. <Explained by="usual">What usual means</Explained>
      </span>
    </p>
  );
}

function List({ benchmarks }: { benchmarks: Benchmarks }) {
  const only = text(query.value, 'only');
  const aside = (
    <label class="field">
      <span>Suite</span>
      <select value={only} onChange={(event) => adjust({ only: event.currentTarget.value, suite: null, name: null })}>
        <option value="">all</option>
        {benchmarks.suites.map((name, at) => (
          <option key={at} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  if (benchmarks.rows.length === 0)
    return (
      <Empty title={only ? 'This suite has no values in this window' : 'No benchmark has been reported in this window'}>
        A job reports benchmarks beside its result; docs/onboarding.md says how. A longer window may have some.
      </Empty>
    );
  return (
    <Section title="Newest values" aside={aside}>
      {benchmarks.more && <p class="quiet">There are more than 500: choose a suite to see the others.</p>}
      <Table
        label="Benchmarks"
        rows={benchmarks.rows.map((row, at) => ({ ...row, at }))}
        keyOf={(row) => row.at}
        columns={[
          {
            head: 'Benchmark',
            class: 'main',
            cell: (row) => (
              <>
                <a data-adjust href={adjusted({ suite: row.suite, name: row.name })}>
                  <Name>{row.name}</Name>
                </a>
                <span class="sub">
                  <bdi>{row.suite}</bdi>
                </span>
              </>
            ),
          },
          { head: 'Mark', class: 'nowrap', help: 'usual', cell: (row) => <State word={markWord(row.newest.mark)} /> },
          {
            head: 'Newest',
            number: true,
            cell: (row) => (
              <>
                {measure(row.newest.value)} <bdi class="quiet">{row.unit}</bdi>
              </>
            ),
          },
          { head: 'Usual', number: true, help: 'usual', cell: (row) => (row.newest.usual === null ? '–' : measure(row.newest.usual)) },
          { head: 'Change', number: true, cell: (row) => (row.change === null ? '–' : moreOrLess(row.change)) },
          { head: 'n', number: true, cell: (row) => count(row.n) },
          {
            head: 'From',
            class: 'nowrap',
            cell: (row) => (
              <>
                <a href={`/job/${row.newest.job}`}>
                  <When at={row.newest.at} />
                </a>
                <span class="sub">{row.newest.number === null ? row.newest.event_type.replace('_', ' ') : `#${row.newest.number}`}</span>
              </>
            ),
          },
        ]}
      />
    </Section>
  );
}

function OneSeries({ downstream, upstream, suite, name }: { downstream: string; upstream: string; suite: string; name: string }) {
  const answer = useAnswer(address('/api/v1/benchmarks/series', {}, { downstream, upstream, window: chosenWindow('30d'), suite, name }), {
    topics: ['downstream'],
    downstream,
  });
  const aside = (
    <>
      <Switch label="Values as" name="values" fallback="chart" options={['chart', 'table'].map((value) => ({ value, words: value }))} />
      <a data-adjust href={adjusted({ suite: null, name: null })}>
        close
      </a>
    </>
  );
  return (
    <Section
      title={
        <>
          <Name>{name}</Name>{' '}
          <span class="quiet">
            <bdi>{suite}</bdi>
          </span>
        </>
      }
      aside={aside}
    >
      <Shown answer={answer}>{(series) => <Drawn series={series} />}</Shown>
    </Section>
  );
}

const ways = { less: 'less is better', more: 'more is better' };

function Drawn({ series }: { series: Series }) {
  if (series.points.length === 0) return <p class="quiet">No value in this window. A longer one may have some.</p>;
  const asTable = choice(query.value, 'values', ['chart', 'table']) === 'table';
  const marked = series.points.flatMap((point, at) =>
    ['worse', 'better', 'changed'].includes(point.mark) ? [{ at, colour: `--tone-${markWord(point.mark).tone}` }] : [],
  );
  return (
    <>
      <p class="quiet small">
        {plural(series.points.length, 'value')} in <bdi>{series.unit || 'no unit'}</bdi>,{' '}
        {series.better ? ways[series.better] : 'the unit does not tell which way is good'}; {plural(marked.length, 'value')} marked.
        {series.points.length >= 2000 && ' The newest 2,000 are shown.'}
      </p>
      {asTable ? (
        <Values series={series} />
      ) : (
        <Lines
          label={`${plural(series.points.length, 'value')} over time, ${marked.length} of them marked; the table has the numbers`}
          at={series.points.map(({ at }) => Date.parse(at) / 1000)}
          days={false}
          zero={false}
          write={measure}
          marked={marked}
          lines={[
            { name: 'value', values: series.points.map(({ value }) => value), colour: '--accent' },
            { name: 'usual', values: series.points.map(({ usual }) => usual), colour: '--quiet', dash: [6, 4] },
          ]}
        />
      )}
    </>
  );
}

function Values({ series }: { series: Series }) {
  return (
    <Table
      label="Values"
      rows={[...series.points].reverse().slice(0, 200)}
      keyOf={(point) => `${point.job} ${point.at}`}
      columns={[
        {
          head: 'At',
          class: 'main nowrap',
          cell: (point) => (
            <a href={`/job/${point.job}`}>
              <When at={point.at} />
            </a>
          ),
        },
        { head: 'Value', number: true, cell: (point) => measure(point.value) },
        { head: 'Usual', number: true, help: 'usual', cell: (point) => (point.usual === null ? '–' : measure(point.usual)) },
        { head: 'Mark', class: 'nowrap', cell: (point) => <State word={markWord(point.mark)} /> },
        {
          head: 'Commit',
          class: 'nowrap linked',
          cell: (point) => (
            <>
              {point.number === null ? (
                <span class="quiet">{point.event_type.replace('_', ' ')}</span>
              ) : (
                <a href={pullPath(series.upstream, point.number)}>#{point.number}</a>
              )}{' '}
              <Sha sha={point.sha} />
            </>
          ),
        },
      ]}
    />
  );
}

function Rule() {
  return (
    <p class="quiet small rule">
      A value is compared with its usual one: the median of up to 10 values before it that are no pull request's, when there are at least 5.
      It is marked when it is away by more than 10 % and by more than three times the median distance of those values. Worse or better is
      told only where the unit says which way is good: of times and sizes less, of rates more.
    </p>
  );
}
