// A calendar of scheduled runs: which night ran, passed, failed or was missed, for each downstream.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { now, zone } from '../clock';
import { gapped } from '../days';
import { missed, nightWord } from '../failure_words';
import { count, plural } from '../figures';
import { query } from '../nav';
import { downstreamPath, text } from '../route';
import { ago, stamp } from '../time';
import { outcomes } from '../words';
import { Explained, Glyph, Level, Name } from '../widgets/bits';
import { useKnown, Whom } from '../widgets/across';
import { Switch } from '../widgets/controls';
import { Empty, Page, Shown } from '../widgets/frame';
import { useSpots } from '../widgets/spots';
import { Tabs } from '../widgets/tabs';

type Nightly = Schemas['Nightly'];
type NightlyLine = Schemas['NightlyLine'];
type Night = Schemas['NightlyDay'];

const spans = ['2', '6', '12', '26'];

export function Nightly() {
  const said = text(query.value, 'weeks');
  const asked = {
    weeks: spans.includes(said) ? said : '6',
    upstream: text(query.value, 'upstream'),
    downstream: text(query.value, 'downstream'),
  };
  const answer = useAnswer(address('/api/v1/nightly', {}, asked), { topics: ['downstream'] });
  const known = useKnown();
  const controls = (
    <>
      <Whom known={known} />
      <Switch label="Weeks" name="weeks" fallback="6" options={spans.map((value) => ({ value, words: `${value} weeks` }))} />
    </>
  );
  return (
    <Page title="Nightlies" controls={controls} tabs={<Tabs of="time" label="Over time" />}>
      <Shown answer={answer}>
        {(nightly) => (
          <div aria-busy={answer.loading}>
            {nightly.lines.length === 0 ? (
              <Empty title="No nightly runs here">
                A downstream gets them by a schedule in its line of the allowlist, or reports nightly runs by itself; then its calendar
                stands here.
              </Empty>
            ) : (
              <>
                <Answer nightly={nightly} />
                <Calendar nightly={nightly} />
                <Legend nightly={nightly} />
              </>
            )}
          </div>
        )}
      </Shown>
    </Page>
  );
}

// What the newest day with anything says.
function Answer({ nightly }: { nightly: Nightly }) {
  const newest = nightly.lines
    .flatMap(({ days }) => days.at(-1)?.day ?? [])
    .sort()
    .at(-1);
  const tonight = nightly.lines.flatMap((line) => {
    const day = line.days.at(-1);
    return day && day.day === newest ? [{ line, day }] : [];
  });
  const bad = tonight.filter(({ day }) => ['failure', 'timed_out', 'missed', 'silent', 'undelivered'].includes(day.outcome));
  return (
    <p class="answer">
      {newest === undefined ? (
        <strong>Nothing ran or was due in these weeks.</strong>
      ) : (
        <>
          <strong>
            {bad.length === 0
              ? `No trouble on ${newest}`
              : `On ${newest}: ${bad
                  .map(({ line, day }) => `${line.repo} ${nightWord(day.outcome).word}`)
                  .slice(0, 3)
                  .join(', ')}${bad.length > 3 ? ` and ${bad.length - 3} more` : ''}`}
            .
          </strong>{' '}
          <span class="quiet">
            {tonight.length} of {plural(nightly.lines.length, 'downstream')} had a run or were due that day. {nightly.from} to{' '}
            {nightly.until}, UTC, worst first. <Explained by="nightly">How days are told</Explained>
          </span>
        </>
      )}
    </p>
  );
}

const letters = ['M', 'T', 'W', 'T', 'F', 'S', 'S'];

function Calendar({ nightly }: { nightly: Nightly }) {
  const until = new Date(Date.parse(`${nightly.until}T00:00:00Z`) + 86_400_000).toISOString();
  const days = gapped<{ day: string }>([], nightly.from, until).at.map((at) => new Date(at * 1000));
  const weeks = days.filter((_, index) => index % 7 === 0);
  const { host, spot, keys } = useSpots<HTMLTableElement>();
  const frame = useRef<HTMLDivElement>(null);
  // The newest days are at the right; where the calendar is wider than the screen, it begins there.
  useLayoutEffect(() => {
    frame.current!.scrollLeft = frame.current!.scrollWidth;
  }, [nightly.from]);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Calendar of nightly runs" ref={frame}>
      <table class="calendar" role="grid" aria-label="Calendar of nightly runs" ref={host} {...keys}>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} class="calendar-name">
              Downstream
            </th>
            {weeks.map((first, index) => (
              <th key={index} scope="colgroup" colSpan={Math.min(7, days.length - index * 7)} class="edge">
                {first.toISOString().slice(5, 10)}
              </th>
            ))}
          </tr>
          <tr>
            {days.map((moment, index) => (
              <th key={index} scope="col" class={index % 7 === 0 ? 'edge' : ''} title={moment.toISOString().slice(0, 10)}>
                <span aria-hidden="true">{letters[(moment.getUTCDay() + 6) % 7]}</span>
                <span class="hide">{moment.toISOString().slice(0, 10)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nightly.lines.map((line, row) => {
            const by = new Map(line.days.map((day) => [day.day, day]));
            return (
              <tr key={`${line.upstream} ${line.repo}`} data-row>
                <th scope="row" class="calendar-name">
                  <a href={`${downstreamPath(line.repo)}?event=nightly`} {...spot(row, 0)}>
                    <Name>{line.repo}</Name>
                  </a>{' '}
                  <Level level={line.level} effective={line.effective_level} />
                  <About line={line} />
                </th>
                {days.map((moment, index) => {
                  const night = by.get(moment.toISOString().slice(0, 10));
                  return <Cell key={index} night={night} repo={line.repo} edge={index % 7 === 0} spot={spot(row, index + 1)} />;
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function About({ line }: { line: NightlyLine }) {
  return (
    <span class="sub">
      {count(line.passed)} of {plural(line.ran, 'day')} passed
      {line.missed > 0 && (
        <>
          ,{' '}
          <span class="tone-text-failure" title="since it is listed">
            {count(line.missed)} missed
          </span>
        </>
      )}
      <span class="calendar-when">
        <br />
        {line.schedule ? (
          <>
            <code>
              <bdi>{line.schedule}</bdi>
            </code>
            {line.next_at && (
              <>
                , next <Due at={line.next_at} />
              </>
            )}
          </>
        ) : (
          'reports by itself'
        )}
      </span>
    </span>
  );
}

// What is to come is in the future, and no clock is wrong for that.
function Due({ at }: { at: string }) {
  const moment = Date.parse(at);
  return (
    <time dateTime={at} title={stamp(moment, zone.value)}>
      {ago(moment, now.value)}
    </time>
  );
}

interface CellProps {
  night: Night | undefined;
  repo: string;
  edge: boolean;
  spot: { 'data-spot': string; tabIndex: number };
}

// A day without anything is empty: nothing was due and nothing came.
function Cell({ night, repo, edge, spot }: CellProps) {
  const look = edge ? 'edge' : '';
  if (!night) return <td class={look} />;
  const word = nightWord(night.outcome);
  const { failure, timed_out, flaky, success } = night.cells;
  const said = `${night.day}: ${word.word}${night.runs > 0 ? `; ${failure + timed_out} failed, ${flaky} flaky, ${success} passed` : ''}`;
  const to = night.job === null ? `${downstreamPath(repo)}?event=nightly` : `/job/${night.job}`;
  return (
    <td class={look}>
      <a
        class={`glyph tone-${word.tone} ${night.outcome === 'success' ? 'plain' : ''}`}
        href={to}
        title={said}
        aria-label={`${repo}, ${said}`}
        {...spot}
      >
        {word.glyph}
      </a>
    </td>
  );
}

function Legend({ nightly }: { nightly: Nightly }) {
  const seen = new Set(nightly.lines.flatMap(({ days }) => days.map(({ outcome }) => outcome)));
  const words = [...Object.entries({ ...outcomes, missed })].filter(([outcome]) => (seen as Set<string>).has(outcome));
  return (
    <p class="legend quiet small">
      {words.map(([outcome, word]) => (
        <span key={outcome} class="counted" title={word.meaning}>
          <Glyph word={word} /> {word.word}
        </span>
      ))}
      <Explained by="glyphs">what they mean</Explained>
    </p>
  );
}
