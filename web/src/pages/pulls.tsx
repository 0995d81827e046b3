// Pull requests by downstreams: one row says how a commit stands everywhere.
import { useMemo } from 'preact/hooks';
import { useAnswer } from '../answer';
import { address } from '../api';
import { shortSha } from '../figures';
import { adjust, query } from '../nav';
import { choice, downstreamPath, pullPath, text } from '../route';
import { outcomeWord, outcomes, sentence, tally } from '../words';
import { Explained, Glyph, Level, LoweredTo, Mark, Name, When } from '../widgets/bits';
import { Field, Find, Switch, UpstreamSwitch } from '../widgets/controls';
import { Empty, Page, Shown } from '../widgets/frame';
import { LongBodies } from '../widgets/long_table';
import { More, useGrowing } from '../widgets/more';
import { Tabs } from '../widgets/tabs';
import { found, levelsOf, places, pullsAfter, pullWays, standings, type PlaceOnPull, type PullRow } from './pull_rows';
import { Exports } from '../widgets/twins';

export function Pulls() {
  const now = query.value;
  const asked = {
    upstream: text(now, 'upstream'),
    state: choice(now, 'state', ['open', 'closed', 'all']),
    author: text(now, 'author'),
    standing: text(now, 'standing') && choice(now, 'standing', standings),
  };
  const list = useGrowing<PullRow>(address('/api/v1/pulls', {}, asked), pullsAfter(asked), { topics: ['pull'] }, pullWays);
  const overview = useAnswer(address('/api/v1/overview'), { topics: ['relay'] });
  const wanted = text(now, 'find');
  const rows = useMemo(() => found(list.rows, wanted), [list.rows, wanted]);
  const controls = (
    <>
      <UpstreamSwitch upstreams={overview.data?.upstreams ?? []} />
      <Field label="Author" name="author" placeholder="anyone" clears={{ more: null }} />
      <Find placeholder="in this list" />
      <Standing />
      <Exports path="/api/v1/pulls" query={{ ...asked, cursor: null }} />
    </>
  );
  return (
    <Page title="Pull requests" controls={controls} tabs={<Tabs of="pulls" label="Pull requests as" />}>
      <Shown answer={list.answer}>
        {() => (
          <div aria-busy={list.answer.loading || list.loading}>
            {rows.length === 0 ? (
              <NoPulls filtered={Boolean(asked.author || asked.upstream || asked.standing || wanted || asked.state !== 'all')} />
            ) : (
              <Matrix rows={rows} />
            )}
            {list.rows.length > 0 && <More list={list} what="pull request" auto={!wanted} />}
          </div>
        )}
      </Shown>
    </Page>
  );
}

// Which pull requests, as the relay chooses them.
export function Standing() {
  return (
    <>
      <Switch
        label="With a downstream that is"
        name="standing"
        fallback="any"
        clears={{ more: null }}
        options={standings.map((value) => ({ value, words: value === 'any' ? 'all' : value }))}
      />
      <Switch
        label="Which"
        name="state"
        fallback="open"
        clears={{ more: null }}
        options={['open', 'closed', 'all'].map((value) => ({ value, words: value === 'all' ? 'either' : value }))}
      />
    </>
  );
}

export function NoPulls({ filtered }: { filtered: boolean }) {
  if (!filtered)
    return (
      <Empty title="No pull request yet">
        The first webhook of an upstream fills this page. <a href="/deliveries">Did one arrive?</a>
      </Empty>
    );
  const clear = { author: null, more: null, find: null, level: null, upstream: null, standing: null, state: 'all' };
  return (
    <Empty title="No pull request fits these filters">
      <button type="button" class="link" onClick={() => adjust(clear)}>
        Show all of them
      </button>
    </Empty>
  );
}

function Matrix({ rows }: { rows: PullRow[] }) {
  const columns = useMemo(() => places(rows), [rows]);
  const outcomesSeen = useMemo(() => tally(rows.flatMap(({ backends }) => backends.map(({ outcome }) => outcome))), [rows]);
  // A repository is named by its owner where the names alone would all look alike.
  const shared = new Set(columns.map(({ repo }) => repo.split('/')[0])).size === columns.length;
  const several = new Set(rows.map(({ upstream }) => upstream)).size > 1;
  return (
    <>
      <div class="scroll sides" tabIndex={0} role="region" aria-label="Pull requests by downstreams">
        <table class={`matrix ${columns.length > 12 ? 'many' : ''}`} aria-rowcount={rows.length + 2}>
          <thead>
            <tr aria-rowindex={1}>
              <td class="matrix-name" />
              {levelsOf(columns).map(({ level, span }) => (
                <th key={level} scope="colgroup" colSpan={span} class="matrix-level">
                  <Level level={level} />
                </th>
              ))}
              <td colSpan={2} />
            </tr>
            <tr aria-rowindex={2}>
              <th scope="col" class="matrix-name">
                Pull request
              </th>
              {columns.map(({ repo, level, effective_level }) => (
                <th key={repo} scope="col" class="matrix-column">
                  <LoweredTo level={level} effective={effective_level} />
                  <a href={downstreamPath(repo)} title={repo}>
                    <bdi>{shared ? repo.split('/')[0] : (repo.split('/')[1] ?? repo)}</bdi>
                  </a>
                </th>
              ))}
              <th scope="col" class="matrix-says">
                Stands
              </th>
              <th scope="col" class="matrix-rest">
                Updated
              </th>
            </tr>
          </thead>
          <LongBodies
            rows={rows}
            span={columns.length + 3}
            height={52}
            keyOf={pullWays.keyOf}
            draw={(row, at) => <MatrixRow row={row} at={at} columns={columns} several={several} />}
          />
        </table>
      </div>
      <p class="legend quiet small">
        {outcomesSeen.map(({ outcome }) => (
          <span key={outcome} class="counted">
            <Glyph word={outcomes[outcome]} /> {outcomes[outcome].word}
          </span>
        ))}
        <Explained by="glyphs">what they mean</Explained>
      </p>
    </>
  );
}

function MatrixRow({ row, at, columns, several }: { row: PullRow; at: number; columns: { repo: string }[]; several: boolean }) {
  const by = new Map(row.backends.map((place) => [place.repo, place]));
  const to = pullPath(row.upstream, row.number);
  const notGreen = row.backends.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'success' && outcome !== 'delivered');
  return (
    <tr data-row aria-rowindex={at + 3}>
      <th scope="row" class="matrix-name">
        <a href={to}>
          {several && <Name>{row.upstream}</Name>}#{row.number}
        </a>{' '}
        <Name>{row.author}</Name>
        {row.draft && <Mark>draft</Mark>}
        {!row.open && <Mark>closed</Mark>}
        <span class="sub" title={row.title}>
          <code>{shortSha(row.head)}</code> <bdi>{row.title}</bdi>
        </span>
        <span class="matrix-tally" aria-hidden="true">
          {tally(row.backends.map(({ outcome }) => outcome)).map(({ outcome, count }) => (
            <span key={outcome} class="counted">
              <Glyph word={outcomes[outcome]} />
              {count}
            </span>
          ))}
        </span>
      </th>
      {columns.map(({ repo }) => (
        <MatrixCell key={repo} place={by.get(repo)} to={to} />
      ))}
      <td class="matrix-says" title={sentence(row.backends.map(({ outcome }) => outcome))}>
        {notGreen.length > 0 ? sentence(notGreen) : 'all well'}
      </td>
      <td class="matrix-rest">
        <When at={row.updated_at} />
      </td>
    </tr>
  );
}

// Green stays plain text; whatever is not green can be focused and opened.
function MatrixCell({ place, to }: { place: PlaceOnPull | undefined; to: string }) {
  const word = outcomeWord(place?.outcome ?? null);
  if (!place || place.outcome === 'success')
    return (
      <td class={`matrix-cell tone-${word.tone}`} title={place ? `${place.repo}: ${word.word}` : word.word}>
        {word.glyph}
      </td>
    );
  return (
    <td class="matrix-cell">
      <a
        class={`glyph tone-${word.tone}`}
        href={`${to}#${place.repo}`}
        title={`${place.repo}: ${word.word}`}
        aria-label={`${place.repo}: ${word.word}`}
      >
        {word.glyph}
      </a>
    </td>
  );
}
