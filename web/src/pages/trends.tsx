// How it went: rates, volume, silence and times, day by day, and who got better or worse.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { gapped } from '../days';
import { count, countSteps, percent, points } from '../figures';
import { adjust, adjusted, query } from '../nav';
import { choice, downstreamPath, text } from '../route';
import { duration } from '../time';
import { Explained, Level, Name } from '../widgets/bits';
import { useKnown, Whom, windowWords } from '../widgets/across';
import { chosenWindow, Switch, WindowSwitch } from '../widgets/controls';
import { DayChart } from '../widgets/day_chart_later';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { Lines, type Line } from '../widgets/lines_later';
import { RateCell } from '../widgets/rate';
import { Table, type Column } from '../widgets/table';
import { Tabs } from '../widgets/tabs';

// Round numbers of milliseconds, seconds, minutes and hours.
const timeSteps = [100, 500, 1000, 5000, 10_000, 30_000, ...[1, 2, 5, 10, 20, 30, 60, 120, 240, 480].map((minutes) => minutes * 60_000)];

type Trends = Schemas['Trends'];
type Day = Schemas['TrendDay'];

export function Trends() {
  const now = query.value;
  const asked = { window: chosenWindow('30d'), upstream: text(now, 'upstream'), downstream: text(now, 'downstream') };
  const answer = useAnswer(address('/api/v1/trends', {}, asked), { topics: ['pull', 'downstream'] });
  const known = useKnown();
  const controls = (
    <>
      <Whom known={known} />
      <Switch label="Days as" name="days" fallback="chart" options={['chart', 'table'].map((value) => ({ value, words: value }))} />
      <WindowSwitch fallback="30d" />
    </>
  );
  return (
    <Page title="Trends" controls={controls} tabs={<Tabs of="time" label="Over time" />}>
      <Shown answer={answer}>
        {(trends) => (
          <div aria-busy={answer.loading}>
            <Answer trends={trends} />
            {trends.days.length === 0 ? (
              <Empty title="Nothing ended in this window">
                A longer window may have more; a downstream that never reported has no trend.
              </Empty>
            ) : choice(now, 'days', ['chart', 'table']) === 'table' ? (
              <Section title="Day by day" aside={windowWords(trends.window)}>
                <Days days={[...trends.days].reverse()} />
              </Section>
            ) : (
              <Charts trends={trends} />
            )}
            <Changes trends={trends} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

// The relay lists the worst change first.
function Answer({ trends }: { trends: Trends }) {
  const worst = trends.downstreams.find(({ change }) => change !== null);
  const span = windowWords(trends.window);
  return (
    <p class="answer">
      {worst === undefined || worst.change === null ? (
        <>
          <strong>No change can be told.</strong>{' '}
          <span class="quiet">A change needs 20 conclusive cells in the window and 20 in as many days before it ({span}).</span>
        </>
      ) : worst.change >= 0 && trends.downstream === null ? (
        <>
          <strong>Nobody got worse</strong> <span class="quiet">in {span}, against as many days before.</span>
        </>
      ) : (
        <>
          <strong>
            <Name>{worst.repo}</Name>
            {trends.downstream === null ? ' lost most: ' : ': '}
            {points(worst.change)}
          </strong>{' '}
          <span class="quiet">
            now {percent(worst.rate.value)} of {count(worst.rate.n)}, before {percent(worst.before.value)} of {count(worst.before.n)} (
            {span}, against as many days before).
          </span>
        </>
      )}
    </p>
  );
}

function Charts({ trends }: { trends: Trends }) {
  const { at, days } = gapped(trends.days, trends.window.from, trends.window.until);
  const chosen = text(query.value, 'day');
  const pick = (index: number) => {
    const day = days[index]?.day;
    if (day) adjust({ day: day === chosen ? null : day });
  };
  const one = trends.days.find(({ day }) => day === chosen);
  const line = (name: string, of: (day: Day) => number | null, colour: string, more: Partial<Line> = {}): Line => ({
    name,
    values: days.map((day) => (day ? of(day) : null)),
    colour,
    ...more,
  });
  const times = (what: 'queue' | 'run') => [
    line('P50', (day) => day[what]?.p50_ms ?? null, '--accent'),
    line('P90', (day) => day[what]?.p90_ms ?? null, '--tone-waiting', { dash: [8, 4] }),
    line('P95', (day) => day[what]?.p95_ms ?? null, '--tone-timed_out', { dash: [3, 3] }),
  ];
  const figures = trends.days.map(({ day, cells, rates, silent }) => ({ day, cells, rate: rates.final, silent }));
  return (
    <>
      <Section title={<Explained by="pass-rate">Pass rate</Explained>} aside={windowWords(trends.window)}>
        <DayChart days={figures} from={trends.window.from} until={trends.window.until} />
      </Section>
      {one && (
        <Section
          title={`${one.day}, UTC`}
          aside={
            <a data-adjust href={adjusted({ day: null })}>
              close
            </a>
          }
        >
          <Days days={[one]} />
          {trends.downstream && (
            <p>
              <a href={downstreamPath(trends.downstream)}>Its commits and jobs</a>
            </p>
          )}
        </Section>
      )}
      <div class="charts">
        <Section title={<Explained by="conclusive">Volume</Explained>} aside="cells that ended; click a day for its row">
          <Lines
            label="Conclusive cells, cells without signal and silent dispatches of each day; the table has the numbers"
            at={at}
            days
            write={count}
            steps={countSteps}
            pick={pick}
            lines={[
              line('conclusive', (day) => day.rates.final.n, '--accent'),
              line('no signal', (day) => day.cells.no_signal, '--quiet', { dash: [4, 4] }),
            ]}
          />
        </Section>
        <Section title={<Explained by="silent">Silent</Explained>} aside="dispatches that nobody started">
          <Lines
            label="Silent dispatches of each day; the table has the numbers"
            at={at}
            days
            write={count}
            steps={countSteps}
            pick={pick}
            lines={[line('silent', (day) => day.silent, '--tone-timed_out', { bars: true })]}
          />
        </Section>
        {trends.downstream ? (
          (['queue', 'run'] as const).map((what) => (
            <Section
              key={what}
              title={<Explained by="queue">{what === 'queue' ? 'Queue' : 'Run'}</Explained>}
              aside="percentiles of each day"
            >
              <Lines
                label={`Percentiles of ${what} times of each day; the table has the numbers`}
                at={at}
                days
                write={(span) => (span === 0 ? '0' : duration(span).replace(' 00 s', '').replace(' 00 min', ''))}
                steps={timeSteps}
                pick={pick}
                lines={times(what)}
              />
            </Section>
          ))
        ) : (
          <p class="quiet">Queue and run times are told for one downstream at a time: percentiles of many cannot be added up.</p>
        )}
      </div>
    </>
  );
}

function Days({ days }: { days: Day[] }) {
  const timed = days.some(({ queue, run }) => queue !== null || run !== null);
  const columns: Column<Day>[] = [
    { head: 'Day, UTC', class: 'main nowrap', cell: (day) => day.day },
    { head: 'Pass rate', help: 'pass-rate', cell: (day) => <RateCell rate={day.rates.final} /> },
    { head: 'First attempt', help: 'first-attempt', number: true, cell: (day) => percent(day.rates.first_attempt.value) },
    { head: 'Passed', number: true, cell: (day) => count(day.cells.success) },
    { head: 'Flaky', number: true, cell: (day) => count(day.cells.flaky) },
    { head: 'Failed', number: true, cell: (day) => count(day.cells.failure) },
    { head: 'Timed out', number: true, cell: (day) => count(day.cells.timed_out) },
    { head: 'No signal', number: true, cell: (day) => count(day.cells.no_signal) },
    { head: 'Silent', number: true, help: 'silent', cell: (day) => count(day.silent) },
  ];
  const times: Column<Day>[] = [
    { head: 'Queue P50', number: true, help: 'queue', cell: (day) => duration(day.queue?.p50_ms ?? null) },
    { head: 'P95', number: true, cell: (day) => duration(day.queue?.p95_ms ?? null) },
    { head: 'Run P50', number: true, help: 'queue', cell: (day) => duration(day.run?.p50_ms ?? null) },
    { head: 'P95 ', number: true, cell: (day) => duration(day.run?.p95_ms ?? null) },
  ];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Days">
      <Table label="Days" class="tight" rows={days} keyOf={(day) => day.day} columns={timed ? [...columns, ...times] : columns} />
    </div>
  );
}

function Changes({ trends }: { trends: Trends }) {
  if (trends.downstreams.length === 0) return null;
  return (
    <Section title="Who changed" aside={`${windowWords(trends.window)}, against as many days before · worst first`}>
      <Table
        label="Downstreams by change"
        rows={trends.downstreams}
        keyOf={(line) => `${line.upstream} ${line.repo}`}
        columns={[
          {
            head: 'Downstream',
            class: 'main',
            cell: (line) => (
              <>
                <a data-adjust href={adjusted({ downstream: line.repo, day: null })}>
                  <Name>{line.repo}</Name>
                </a>{' '}
                <Level level={line.level} effective={line.effective_level} />
              </>
            ),
          },
          {
            head: 'Change',
            class: 'nowrap',
            help: 'change',
            cell: (line) =>
              line.change === null ? (
                <span class="quiet" title="fewer than 20 samples now or before">
                  too few
                </span>
              ) : (
                <span class={line.change < 0 ? 'tone-text-failure' : line.change > 0 ? 'tone-text-success' : ''}>
                  {points(line.change)}
                </span>
              ),
          },
          { head: 'Now', help: 'pass-rate', cell: (line) => <RateCell rate={line.rate} /> },
          { head: 'Before', cell: (line) => <RateCell rate={line.before} /> },
          { head: 'Failed', class: 'rest', number: true, cell: (line) => count(line.cells.failure) },
          { head: 'Silent', class: 'rest', number: true, help: 'silent', cell: (line) => count(line.silent) },
        ]}
      />
    </Section>
  );
}
