// One job of one downstream over time: how often it passes, how long it takes, where it flakes.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { count, percent, plural } from '../figures';
import { query } from '../nav';
import { choice, downstreamPath, pullPath, text } from '../route';
import { duration } from '../time';
import { outcomeWord, sentence } from '../words';
import { Explained, Name, Sha, State, When } from '../widgets/bits';
import { windowWords } from '../widgets/across';
import { chosenWindow, Pager, Switch, WindowSwitch } from '../widgets/controls';
import { DayChart } from '../widgets/day_chart_later';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { RateCell } from '../widgets/rate';
import { useSpots } from '../widgets/spots';
import { Table } from '../widgets/table';
import { Times } from '../widgets/times';

type History = Schemas['JobHistory'];
type Row = History['rows'][number];

const events = ['pull_request', 'push', 'nightly', 'periodic'] as const;

export function JobHistory({ owner, repo }: { owner: string; repo: string }) {
  const now = query.value;
  const downstream = `${owner}/${repo}`;
  const asked = {
    workflow: text(now, 'workflow'),
    job: text(now, 'job'),
    event: choice(now, 'event', events),
    window: chosenWindow('30d'),
    upstream: text(now, 'upstream'),
    cursor: text(now, 'cursor'),
  };
  const name = asked.job || asked.workflow || 'A job';
  const head = (
    <>
      <Name>{name}</Name>{' '}
      <span class="quiet">
        {asked.job && <bdi>{asked.workflow}</bdi>} at{' '}
        <a href={downstreamPath(downstream)}>
          <bdi>{downstream}</bdi>
        </a>
      </span>
    </>
  );
  const controls = (
    <>
      <Switch
        label="Rows"
        name="show"
        fallback="all"
        options={[
          { value: 'all', words: 'all' },
          { value: 'not-green', words: 'not green' },
          { value: 'flaky', words: 'flaky' },
        ]}
      />
      <Switch
        label="What started it"
        name="event"
        fallback="pull_request"
        clears={{ cursor: null }}
        options={events.map((value) => ({ value, words: value.replace('_', ' ') }))}
      />
      <WindowSwitch fallback="30d" />
    </>
  );
  return (
    <Page title={`${name} of ${downstream}`} head={head} controls={asked.workflow ? controls : undefined}>
      {asked.workflow ? (
        <Loaded owner={owner} repo={repo} asked={asked} />
      ) : (
        <Empty title="Which job?">
          A job is named by its workflow and its name. <a href={downstreamPath(downstream)}>The downstream's page</a> lists those that fail
          most.
        </Empty>
      )}
    </Page>
  );
}

function Loaded({ owner, repo, asked }: { owner: string; repo: string; asked: Record<string, string> }) {
  const answer = useAnswer(address('/api/v1/downstreams/{owner}/{repo}/job', { owner, repo }, asked), {
    topics: ['downstream', 'pull'],
    downstream: `${owner}/${repo}`,
  });
  return (
    <Shown answer={answer}>
      {(history) => (
        <div aria-busy={answer.loading}>
          <Answer history={history} />
          <Strip history={history} />
          <Figures history={history} />
          <Section title="Day by day" aside={`${windowWords(history.window)}, whatever started it`}>
            {history.days.length === 0 ? (
              <p class="quiet">Nothing of it ended in this window.</p>
            ) : (
              <DayChart days={history.days} from={history.window.from} until={history.window.until} />
            )}
          </Section>
          <Rows history={history} />
          <Pager next={history.next} />
        </div>
      )}
    </Shown>
  );
}

function Answer({ history }: { history: History }) {
  const { final } = history.rates;
  return (
    <p class="answer">
      <strong>{final.value === null ? 'Nothing of it has ended' : `It passes ${percent(final.value)} of ${count(final.n)}`}</strong>{' '}
      <span class="quiet">
        in {windowWords(history.window)}; {plural(history.cells.flaky, 'commit')} {history.cells.flaky === 1 ? 'was' : 'were'}{' '}
        <Explained by="flaky">flaky</Explained>
        {final.few && final.value !== null && ', too few to tell'}.
      </span>
    </p>
  );
}

// Newest first, one letter for each commit.
function Strip({ history }: { history: History }) {
  const { host, spot, keys } = useSpots<HTMLDivElement>();
  if (history.rows.length === 0) return null;
  return (
    <Section title="Newest commits" aside={sentence(history.rows.map(({ outcome }) => outcome))}>
      <div class="strip" ref={host} {...keys} role="group" aria-label="Newest commits, newest first">
        {history.rows.map((row, at) => {
          const word = outcomeWord(row.outcome);
          const said = `${whatOf(row)}: ${word.word}${row.attempts > 1 ? `, ${row.attempts} attempts` : ''}`;
          return (
            <a
              key={at}
              class={`glyph tone-${word.tone}`}
              href={row.job === null ? undefined : `/job/${row.job}`}
              title={said}
              aria-label={said}
              {...spot(0, at)}
            >
              {word.glyph}
            </a>
          );
        })}
      </div>
    </Section>
  );
}

function whatOf(row: Row): string {
  return row.number === null ? row.sha.slice(0, 8) : `#${row.number}`;
}

function Figures({ history }: { history: History }) {
  const { rates, queue, run } = history;
  return (
    <div class="halves">
      <Section title="Rates" aside={`${windowWords(history.window)}, whatever started it`}>
        <Table
          label="Rates"
          rows={[
            { name: 'Pass rate', by: 'pass-rate', rate: rates.final },
            { name: 'First attempt', by: 'first-attempt', rate: rates.first_attempt },
            { name: 'Compat', by: 'compat', rate: rates.compat },
            ...(rates.adjusted ? [{ name: 'Adjusted', by: 'adjusted', rate: rates.adjusted }] : []),
          ]}
          keyOf={(row) => row.name}
          columns={[
            { head: '', class: 'main', cell: (row) => <Explained by={row.by}>{row.name}</Explained> },
            { head: 'Rate', cell: (row) => <RateCell rate={row.rate} /> },
          ]}
        />
      </Section>
      <Section title={<Explained by="queue">Times</Explained>} aside="of the commits listed below">
        <Times queue={queue} run={run} />
      </Section>
    </div>
  );
}

function Rows({ history }: { history: History }) {
  const show = choice(query.value, 'show', ['all', 'not-green', 'flaky']);
  const rows = history.rows.filter(({ outcome }) => show === 'all' || (show === 'flaky' ? outcome === 'flaky' : outcome !== 'success'));
  if (rows.length === 0)
    return (
      <Empty
        title={history.rows.length === 0 ? `It ran for no ${history.event_type.replace('_', ' ')} yet` : 'None of these commits is so'}
      >
        {history.rows.length === 0 ? 'Another event may have started it; see the choices above.' : 'Older pages may have some.'}
      </Empty>
    );
  return (
    <Section title="Commits" aside={plural(rows.length, 'commit')}>
      <Table
        label="Commits"
        rows={rows}
        keyOf={(row) => `${row.sha} ${row.number}`}
        columns={[
          {
            head: 'Commit',
            class: 'main nowrap linked',
            cell: (row) =>
              row.number === null ? (
                <Sha sha={row.sha} />
              ) : (
                <>
                  <a href={`${pullPath(history.upstream, row.number)}?sha=${encodeURIComponent(row.sha)}`}>#{row.number}</a>{' '}
                  <Sha sha={row.sha} />
                </>
              ),
          },
          { head: 'Outcome', class: 'nowrap', cell: (row) => <State word={outcomeWord(row.outcome)} /> },
          { head: 'Attempts', number: true, cell: (row) => count(row.attempts) },
          { head: 'Queue', number: true, help: 'queue', cell: (row) => duration(row.queue_ms) },
          { head: 'Run', number: true, help: 'queue', cell: (row) => duration(row.run_ms) },
          { head: 'Ended', class: 'nowrap', cell: (row) => <When at={row.at} /> },
          {
            head: 'Job',
            class: 'nowrap',
            cell: (row) => (row.job === null ? '–' : <a href={`/job/${row.job}`}>open</a>),
          },
        ]}
      />
    </Section>
  );
}
