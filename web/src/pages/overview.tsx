// Is the relay healthy, who needs attention, how is each downstream? In this order.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { capital, count, plural } from '../figures';
import { adjusted, query } from '../nav';
import { choice, downstreamPath, pullPath, text } from '../route';
import { doubtful } from '../standing';
import { gates, levels, outcomeWord, tally, unknown } from '../words';
import { Explained, Glyph, Level, Lowered, Mark, Name, When } from '../widgets/bits';
import { chosenWindow, UpstreamSwitch, WindowSwitch } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { RateCell } from '../widgets/rate';
import { LatestNotes } from '../widgets/notes_later';
import { Table, type Column } from '../widgets/table';
import { Exports, Feed } from '../widgets/twins';
import { AttentionEntry } from './attention';
import { RelayHealth } from './relay';

type Downstream = Schemas['Downstream'];

export function Overview() {
  const upstream = text(query.value, 'upstream');
  const answer = useAnswer(address('/api/v1/overview', {}, { window: chosenWindow(), upstream }), {
    topics: ['pull', 'downstream', 'relay'],
  });
  const controls = (
    <>
      <UpstreamSwitch upstreams={answer.data?.upstreams ?? []} />
      <WindowSwitch />
    </>
  );
  return (
    <Page title="Overview" controls={controls}>
      <Shown answer={answer}>
        {(overview) => (
          <div class="overview" aria-busy={answer.loading}>
            <div class="overview-main">
              <NeedsAttention list={overview.attention} done={answer.retry} />
              <RelayHealth relay={overview.relay} />
              <Downstreams list={overview.downstreams} window={overview.window} />
            </div>
            <div>
              <Ticker upstream={upstream} />
              <LatestNotes />
            </div>
          </div>
        )}
      </Shown>
    </Page>
  );
}

// On a bad day everybody is listed: then the worst stand here, and the relay's own health is still on the first screen.
const mattersAtFirst = 8;

function NeedsAttention({ list, done }: { list: Schemas['Attention'][]; done: () => void }) {
  if (list.length === 0)
    return (
      <Section title="Needs attention">
        <p class="calm">
          {doubtful.value ? (
            <>
              <Glyph word={unknown} /> Nothing did when the relay was last heard. What needs somebody now is not known.
            </>
          ) : (
            <>
              <Glyph word={outcomeWord('success')} /> Nothing. Every downstream and every part of the relay is as it should be.
            </>
          )}
        </p>
      </Section>
    );
  const first = Math.max(mattersAtFirst, list.filter(({ severity, acknowledged }) => severity === 'high' && !acknowledged).length);
  const all = choice(query.value, 'matters', ['first', 'all']) === 'all';
  const shown = all ? list.length : first;
  return (
    <Section
      title="Needs attention"
      aside={
        <>
          {plural(list.length, 'matter')}
          <Feed path="/feeds/attention.atom" of="what needs attention" />
        </>
      }
    >
      <ul class="attention">
        {list.slice(0, shown).map((item) => (
          <AttentionEntry key={item.key} item={item} done={done} />
        ))}
      </ul>
      {list.length > first && (
        <p class="more-matters">
          <a data-adjust href={adjusted({ matters: all ? null : 'all' })}>
            {all ? `Show the first ${first}` : `Show ${plural(list.length - shown, 'more matter')}`}
          </a>
        </p>
      )}
    </Section>
  );
}

// A downstream of several upstreams has a row for each, and its page is told which of them is meant.
function Which({ row, several }: { row: Downstream; several: boolean }) {
  return (
    <>
      <a href={several ? `${downstreamPath(row.repo)}?upstream=${encodeURIComponent(row.upstream)}` : downstreamPath(row.repo)}>
        <Name>{row.repo}</Name>
      </a>
      <span class="sub">{[row.device, several ? `for ${row.upstream}` : ''].filter(Boolean).join(', ')}</span>
      <Lowered of={row} />
    </>
  );
}

const columns: Column<Downstream>[] = [
  { head: 'Pass rate', help: 'pass-rate', cell: (row) => <RateCell rate={row.rates.final} /> },
  { head: 'Not green', class: 'tally', cell: (row) => <NotGreen row={row} /> },
  {
    head: 'Now',
    class: 'now',
    dull: (row) => row.running + row.pending === 0 && !row.suspended && !row.trouble,
    cell: (row) => <Now row={row} />,
  },
  { head: 'Gate', class: 'nowrap', help: 'gate', dull: (row) => row.gate === 'not_counted', cell: (row) => <Gate row={row} /> },
  { head: 'Last result', class: 'nowrap', cell: (row) => <When at={row.last_result_at} none="never" /> },
];

function Downstreams({ list, window }: { list: Downstream[]; window: Schemas['Window'] }) {
  if (list.length === 0) {
    return (
      <Section title="Downstreams">
        <Empty title="No downstream is listed yet">
          One line in the allowlist adds the first. It appears here as soon as the list is read.
        </Empty>
      </Section>
    );
  }
  const several = new Set(list.map(({ upstream }) => upstream)).size > 1;
  const groups = [...new Set(list.map(({ level }) => level))];
  const span = `${window.name.replace('d', '')} ${window.name === '1d' ? 'day' : 'days'} to today, UTC`;
  return (
    <>
      {groups.map((level, at) => {
        const rows = list.filter((row) => row.level === level);
        return (
          <Section
            key={level}
            title={
              <>
                <Level level={level} /> {capital(levels[level])}
              </>
            }
            aside={
              at === 0 ? (
                <>
                  {span} · worst first <Exports path="/api/v1/overview" query={{ window: window.name, upstream: text(query.value, 'upstream') }} />
                </>
              ) : (
                plural(rows.length, 'downstream')
              )
            }
          >
            <Unknown rows={rows} />
            <Table
              label={`Downstreams at ${level}`}
              class="downstreams"
              columns={[{ head: 'Downstream', class: 'main', cell: (row) => <Which row={row} several={several} /> }, ...columns]}
              rows={rows}
              keyOf={(row) => `${row.upstream} ${row.repo}`}
            />
          </Section>
        );
      })}
    </>
  );
}

// Who decides about merging and says nothing: nobody should have to guess what becomes of the merge.
function Unknown({ rows }: { rows: Downstream[] }) {
  return (
    <>
      {rows
        .filter(({ blocking_unknown }) => blocking_unknown)
        .map((row) => (
          <p key={`${row.upstream} ${row.repo}`} class="banner">
            <strong>
              <Name>{row.repo}</Name> is blocking: unknown.
            </strong>{' '}
            Nobody started what it was sent last. <bdi>{row.gate_rule}</bdi>
          </p>
        ))}
    </>
  );
}

function NotGreen({ row }: { row: Downstream }) {
  const parts = [
    { word: outcomeWord('failure'), n: row.cells.failure },
    { word: outcomeWord('timed_out'), n: row.cells.timed_out },
    { word: outcomeWord('silent'), n: row.silent },
    { word: outcomeWord('flaky'), n: row.cells.flaky },
  ].filter(({ n }) => n > 0);
  if (parts.length === 0) return <span class="quiet">none</span>;
  return (
    <>
      {parts.map(({ word, n }) => (
        <span key={word.word} class="counted" title={`${n} ${word.word}. ${word.meaning}`}>
          <Glyph word={word} />
          {count(n)}
          <span class="hide"> {word.word}</span>
        </span>
      ))}
    </>
  );
}

function Now({ row }: { row: Downstream }) {
  const parts = [row.running > 0 && `${count(row.running)} running`, row.pending > 0 && `${count(row.pending)} to send`].filter(Boolean);
  return (
    <>
      {parts.length ? parts.join(', ') : <span class="quiet">idle</span>}
      {row.suspended && (
        <>
          {' '}
          <Mark title={row.held}>held</Mark>
        </>
      )}
      {row.paused_until && (
        <>
          {' '}
          <Mark title={row.trouble || 'sending to it pauses'}>paused</Mark>
        </>
      )}
      {row.trouble && !row.paused_until && (
        <>
          {' '}
          <Mark title={row.trouble}>trouble</Mark>
        </>
      )}
    </>
  );
}

function Gate({ row }: { row: Downstream }) {
  if (row.gate === 'suspended') return <Mark title="its part of the gate is neutral until it is well">suspended</Mark>;
  if (row.gate === 'not_counted')
    return (
      <span class="quiet" title="below L4: no part of the gate">
        –
      </span>
    );
  return (
    <>
      {gates[row.gate]}
      {row.blocking_unknown && (
        <span class="sub unknown" title={row.gate_rule}>
          blocking: unknown
        </span>
      )}
    </>
  );
}

function Ticker({ upstream }: { upstream: string }) {
  const answer = useAnswer(address('/api/v1/pulls', {}, { state: 'all', limit: 12, upstream }), { topics: ['pull'] });
  return (
    <aside class="ticker" aria-labelledby="ticker">
      <div class="section-head">
        <h2 id="ticker">Latest</h2>
        <div class="section-aside">
          <a href="/pulls">all pulls</a>
        </div>
      </div>
      <Shown answer={answer}>
        {(pulls) =>
          pulls.rows.length === 0 ? (
            <p class="quiet">No pull request has come yet. The first webhook fills this list.</p>
          ) : (
            <ol>
              {pulls.rows.map((row) => (
                <li key={`${row.upstream}${row.number}`} data-row>
                  <div class="ticker-line">
                    <a href={pullPath(row.upstream, row.number)} title={row.title}>
                      #{row.number}
                    </a>{' '}
                    <Name>{row.author}</Name>
                    <span class="grow" />
                    <span class="quiet">
                      <When at={row.updated_at} />
                    </span>
                  </div>
                  {row.title && (
                    <div class="ticker-title">
                      <bdi>{row.title}</bdi>
                    </div>
                  )}
                  <div class="ticker-line">
                    {tally(row.backends.map(({ outcome }) => outcome)).map(({ outcome, count: n }) => (
                      <span key={outcome} class="counted" title={`${n} ${outcomeWord(outcome).word}`}>
                        <Glyph word={outcomeWord(outcome)} />
                        {n}
                        <span class="hide"> {outcomeWord(outcome).word}</span>
                      </span>
                    ))}
                  </div>
                </li>
              ))}
            </ol>
          )
        }
      </Shown>
      <p class="quiet small">
        <Explained by="glyphs">What the signs mean</Explained>
      </p>
    </aside>
  );
}
