// Every pull request by every downstream, dense, for those who look after all of them. A row opens in place to its jobs.
import { useMemo, useState } from 'preact/hooks';
import { useAnswer } from '../answer';
import { address } from '../api';
import { count, plural } from '../figures';
import { step } from '../grid_rows';
import { adjust, query } from '../nav';
import { choice, downstreamPath, list as listOf, pullPath, text } from '../route';
import { outcomeWord, sentence } from '../words';
import { Explained, Level, LoweredTo, Name, When } from '../widgets/bits';
import { Field, Find, Switch, UpstreamSwitch } from '../widgets/controls';
import { Page, Shown } from '../widgets/frame';
import { LongBodies } from '../widgets/long_table';
import { More, useGrowing } from '../widgets/more';
import { focusSpot, spotOf } from '../widgets/spots';
import { Tabs } from '../widgets/tabs';
import { MatrixJobs } from './matrix_jobs';
import { NoPulls, Standing } from './pulls';
import {
  failing,
  found,
  levelsOf,
  places,
  pullsAfter,
  pullWays,
  silent,
  standings,
  type Place,
  type PlaceOnPull,
  type PullRow,
} from './pull_rows';

const levels = ['L1', 'L2', 'L3', 'L4'] as const;

export function Matrix() {
  const now = query.value;
  const level = choice(now, 'level', levels);
  const asked = {
    upstream: text(now, 'upstream'),
    state: choice(now, 'state', ['open', 'closed', 'all']),
    author: text(now, 'author'),
    standing: text(now, 'standing') && choice(now, 'standing', standings),
    level: level === 'L1' ? '' : level,
  };
  const list = useGrowing<PullRow>(address('/api/v1/pulls', {}, asked), pullsAfter(asked), { topics: ['pull'] }, pullWays);
  const overview = useAnswer(address('/api/v1/overview'), { topics: ['relay'] });
  const wanted = text(now, 'find');
  const rows = useMemo(() => {
    const kept = list.rows.map((row) => ({ ...row, backends: row.backends.filter((place) => place.level >= level) }));
    return found(kept, wanted).filter((row) => row.backends.length > 0);
  }, [list.rows, level, wanted]);
  const controls = (
    <>
      <UpstreamSwitch upstreams={overview.data?.upstreams ?? []} />
      <Field label="Author" name="author" placeholder="anyone" clears={{ more: null }} />
      <Find placeholder="in this list" />
      <Switch
        label="Levels"
        name="level"
        fallback="L1"
        clears={{ more: null }}
        options={levels.map((value) => ({ value, words: value === 'L1' ? 'all levels' : value === 'L4' ? 'L4' : `${value} up` }))}
      />
      <Standing />
    </>
  );
  const filtered = Boolean(asked.author || asked.upstream || asked.standing || wanted || level !== 'L1' || asked.state !== 'all');
  return (
    <Page title="Matrix" controls={controls} tabs={<Tabs of="pulls" label="Pull requests as" />}>
      <Shown answer={list.answer}>
        {() => (
          <div aria-busy={list.answer.loading || list.loading}>
            {rows.length === 0 ? (
              <>
                <NoPulls filtered={filtered} />
                {list.rows.length > 0 && <More list={list} what="pull request" auto={false} />}
              </>
            ) : (
              <Whole rows={rows}>
                <More list={list} what="pull request" auto={!wanted} />
              </Whole>
            )}
          </div>
        )}
      </Shown>
    </Page>
  );
}

// What can be focused in a row, by number: its toggle, its link, and behind them every cell that is not green.
const toggle = 0;
const link = 1;
const cells = 2;

function stops(row: PullRow, columns: Place[]): number[] {
  const by = new Map(row.backends.map((place) => [place.repo, place.outcome]));
  return [toggle, link, ...columns.flatMap(({ repo }, at) => ((by.get(repo) ?? 'success') === 'success' ? [] : [cells + at]))];
}

function Whole({ rows, children }: { rows: PullRow[]; children: preact.ComponentChildren }) {
  const columns = useMemo(() => places(rows), [rows]);
  const failed = useMemo(() => rows.filter(failing).length, [rows]);
  const quiet = useMemo(() => rows.filter(silent).length, [rows]);
  const several = useMemo(() => new Set(rows.map(({ upstream }) => upstream)).size > 1, [rows]);
  const [stop, setStop] = useState({ row: 0, column: toggle });
  const open = listOf(query.value, 'open');
  const onKey = (event: KeyboardEvent) => {
    const from = spotOf(event.target);
    const near = from && rows.slice(0, from.row + 2).map((row, at) => (Math.abs(at - from.row) < 2 ? stops(row, columns) : []));
    // Up and down from a cell leads to a cell, while the row has one.
    const led = near?.map((list, at) => (at !== from!.row && from!.column >= cells && list.length > cells ? list.slice(cells) : list));
    const next = from && step(led!, from, event.key);
    if (!next) return;
    event.preventDefault();
    focusSpot(event.currentTarget as HTMLElement, next);
  };
  // A stop that a filter took away falls back to the first row, so that Tab always finds a way in.
  const tab = stop.row < rows.length ? stop : { row: 0, column: toggle };
  return (
    <>
      <p class="answer">
        <strong>
          {failed === 0
            ? 'Nothing fails'
            : `${count(failed)} of these ${plural(rows.length, 'pull request')} ${failed === 1 ? 'has' : 'have'} a failure`}
          {quiet > 0 && `, ${count(quiet)} ${quiet === 1 ? 'waits' : 'wait'} for one that is silent`}.
        </strong>{' '}
        <span class="quiet">
          {plural(columns.length, 'downstream')}, the newest commit of each. Arrow keys move, Enter opens.{' '}
          <Explained by="glyphs">The signs</Explained>
        </span>
      </p>
      <div class="scroll frame" tabIndex={0} role="region" aria-label="Pull requests by downstreams">
        <table
          class="dense"
          role="grid"
          aria-label="Pull requests by downstreams"
          aria-rowcount={rows.length + 2}
          onKeyDown={onKey}
          onFocusCapture={(event) => setStop(spotOf(event.target) ?? stop)}
        >
          <Head columns={columns} />
          <LongBodies
            rows={rows}
            span={columns.length + 2}
            height={34}
            keyOf={pullWays.keyOf}
            draw={(row, at) => (
              <Row
                row={row}
                at={at}
                columns={columns}
                several={several}
                tab={tab.row === at ? tab.column : null}
                open={open.includes(pullWays.keyOf(row))}
              />
            )}
          />
        </table>
        {children}
      </div>
    </>
  );
}

function Head({ columns }: { columns: Place[] }) {
  const names = columns.map(({ repo }) => repo.split('/')[0]);
  const byOwner = new Set(names).size === columns.length;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" rowSpan={2} class="dense-name">
          Pull request
        </th>
        {levelsOf(columns).map(({ level, span }) => (
          <th key={level} scope="colgroup" colSpan={span} class="dense-level">
            <Level level={level} />
          </th>
        ))}
        <th scope="col" rowSpan={2} class="dense-says">
          Stands
        </th>
      </tr>
      <tr aria-rowindex={2}>
        {columns.map(({ repo, level, effective_level }, at) => (
          <th key={repo} scope="col" class={`matrix-column ${columns[at - 1]?.level === level ? '' : 'edge'}`}>
            <LoweredTo level={level} effective={effective_level} />
            <a href={downstreamPath(repo)} title={repo}>
              <bdi>{byOwner ? repo.split('/')[0] : (repo.split('/')[1] ?? repo)}</bdi>
            </a>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps {
  row: PullRow;
  at: number;
  columns: Place[];
  several: boolean;
  tab: number | null;
  open: boolean;
}

function Row({ row, at, columns, several, tab, open }: RowProps) {
  const by = new Map(row.backends.map((place) => [place.repo, place]));
  const key = pullWays.keyOf(row);
  const turn = () => {
    const now = listOf(query.value, 'open');
    adjust({ open: (open ? now.filter((one) => one !== key) : [...now, key]).join(',') });
  };
  return (
    <>
      <tr data-row aria-rowindex={at + 3}>
        <th scope="row" class="dense-name">
          <span class="dense-what">
            <button
              type="button"
              class="turn caret"
              aria-expanded={open}
              aria-label={`#${row.number}: ${open ? 'hide' : 'show'} its jobs`}
              tabIndex={tab === toggle ? 0 : -1}
              data-spot={`${at}:${toggle}`}
              onClick={turn}
            >
              {open ? '▾' : '▸'}
            </button>
            <a href={pullPath(row.upstream, row.number)} tabIndex={tab === link ? 0 : -1} data-spot={`${at}:${link}`}>
              {several && <Name>{row.upstream}</Name>}#{row.number}
            </a>
            <Name>{row.author}</Name>
            <span class="quiet dense-when">
              <When at={row.updated_at} />
            </span>
          </span>
        </th>
        {columns.map((column, index) => (
          <Cell
            key={column.repo}
            place={by.get(column.repo)}
            row={row}
            spot={`${at}:${cells + index}`}
            edge={columns[index - 1]?.level !== column.level}
            tab={tab === cells + index}
          />
        ))}
        <td class="dense-says">{sentence(row.backends.map(({ outcome }) => outcome))}</td>
      </tr>
      {open && (
        <tr class="dense-open">
          <td colSpan={columns.length + 2}>
            <MatrixJobs upstream={row.upstream} number={row.number} />
          </td>
        </tr>
      )}
    </>
  );
}

function Cell({
  place,
  row,
  spot,
  edge,
  tab,
}: {
  place: PlaceOnPull | undefined;
  row: PullRow;
  spot: string;
  edge: boolean;
  tab: boolean;
}) {
  const word = outcomeWord(place?.outcome ?? null);
  const look = `dense-cell ${edge ? 'edge' : ''}`;
  if (!place || place.outcome === 'success')
    return (
      <td class={`${look} tone-${word.tone}`} title={place ? `${place.repo}: ${word.word}` : word.word}>
        {word.glyph}
      </td>
    );
  return (
    <td class={look}>
      <a
        class={`glyph tone-${word.tone}`}
        href={`${pullPath(row.upstream, row.number)}#${place.repo}`}
        title={`${place.repo}: ${word.word}`}
        aria-label={`#${row.number} at ${place.repo}: ${word.word}`}
        tabIndex={tab ? 0 : -1}
        data-spot={spot}
      >
        {word.glyph}
      </a>
    </td>
  );
}
