// Pull requests by downstreams: one row says how a commit stands everywhere.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { shortSha } from '../figures';
import { adjust, query } from '../nav';
import { choice, downstreamPath, pullPath, text } from '../route';
import { outcomeWord, outcomes, sentence, tally } from '../words';
import { Explained, Glyph, Level, Mark, Name, When } from '../widgets/bits';
import { Field, Pager, Switch, UpstreamSwitch } from '../widgets/controls';
import { Empty, Page, Shown } from '../widgets/frame';
import { Exports } from '../widgets/twins';

type Row = Schemas['PullRow'];
type Place = Row['backends'][number];

export function Pulls() {
  const now = query.value;
  const asked = {
    upstream: text(now, 'upstream'),
    state: choice(now, 'state', ['open', 'closed', 'all']),
    author: text(now, 'author'),
    cursor: text(now, 'cursor'),
  };
  const answer = useAnswer(address('/api/v1/pulls', {}, asked), { topics: ['pull'] });
  const overview = useAnswer(address('/api/v1/overview'), { topics: ['relay'] });
  const onlyBad = choice(now, 'show', ['all', 'not-green']) === 'not-green';
  const controls = (
    <>
      <UpstreamSwitch upstreams={overview.data?.upstreams ?? []} />
      <Field label="Author" name="author" placeholder="anyone" />
      <Switch
        label="Rows"
        name="show"
        fallback="all"
        options={[
          { value: 'all', words: 'all' },
          { value: 'not-green', words: 'not green' },
        ]}
      />
      <Switch
        label="Which"
        name="state"
        fallback="open"
        clears={{ cursor: null }}
        options={['open', 'closed', 'all'].map((value) => ({ value, words: value }))}
      />
      <Exports path="/api/v1/pulls" query={{ ...asked, cursor: null }} />
    </>
  );
  return (
    <Page title="Pull requests" controls={controls}>
      <Shown answer={answer}>
        {(pulls) => {
          const rows = onlyBad ? pulls.rows.filter(({ backends }) => backends.some(({ outcome }) => outcome !== 'success')) : pulls.rows;
          return (
            <div aria-busy={answer.loading}>
              {rows.length === 0 ? (
                <Nothing filtered={Boolean(asked.author || asked.cursor || asked.upstream || onlyBad || asked.state !== 'all')} />
              ) : (
                <Matrix rows={rows} />
              )}
              <Pager next={pulls.next} />
            </div>
          );
        }}
      </Shown>
    </Page>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (!filtered)
    return (
      <Empty title="No pull request yet">
        The first webhook of an upstream fills this page. <a href="/deliveries">Did one arrive?</a>
      </Empty>
    );
  return (
    <Empty title="No pull request fits these filters">
      <button type="button" class="link" onClick={() => adjust({ author: null, cursor: null, upstream: null, show: null, state: 'all' })}>
        Show all of them
      </button>
    </Empty>
  );
}

// Columns are the downstreams of these rows: highest level first, then by name.
export function places(rows: Row[]): { repo: string; level: Schemas['Level'] }[] {
  const seen = new Map<string, Schemas['Level']>();
  for (const row of rows) for (const { repo, level } of row.backends) if (!seen.has(repo)) seen.set(repo, level);
  return [...seen].map(([repo, level]) => ({ repo, level })).sort((a, b) => b.level.localeCompare(a.level) || a.repo.localeCompare(b.repo));
}

function levelsOf(columns: { level: Schemas['Level'] }[]): { level: Schemas['Level']; span: number }[] {
  return [...new Set(columns.map(({ level }) => level))].map((level) => ({
    level,
    span: columns.filter((column) => column.level === level).length,
  }));
}

function Matrix({ rows }: { rows: Row[] }) {
  const columns = places(rows);
  // A repository is named by its owner where the names alone would all look alike.
  const shared = new Set(columns.map(({ repo }) => repo.split('/')[0])).size === columns.length;
  const several = new Set(rows.map(({ upstream }) => upstream)).size > 1;
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Pull requests by downstreams">
        <table class="matrix">
          <thead>
            <tr>
              <td class="matrix-name" />
              {levelsOf(columns).map(({ level, span }) => (
                <th key={level} scope="colgroup" colSpan={span} class="matrix-level">
                  <Level level={level} />
                </th>
              ))}
              <td colSpan={2} />
            </tr>
            <tr>
              <th scope="col" class="matrix-name">
                Pull request
              </th>
              {columns.map(({ repo }) => (
                <th key={repo} scope="col" class="matrix-column">
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
          <tbody>
            {rows.map((row) => (
              <MatrixRow key={`${row.upstream}#${row.number}`} row={row} columns={columns} several={several} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="legend quiet small">
        {tally(rows.flatMap(({ backends }) => backends.map(({ outcome }) => outcome))).map(({ outcome }) => (
          <span key={outcome} class="counted">
            <Glyph word={outcomes[outcome]} /> {outcomes[outcome].word}
          </span>
        ))}
        <Explained by="glyphs">what they mean</Explained>
      </p>
    </>
  );
}

function MatrixRow({ row, columns, several }: { row: Row; columns: { repo: string }[]; several: boolean }) {
  const by = new Map(row.backends.map((place) => [place.repo, place]));
  const to = pullPath(row.upstream, row.number);
  return (
    <tr data-row>
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
        <td key={repo} class="matrix-cell">
          <MatrixCell place={by.get(repo)} to={to} />
        </td>
      ))}
      <td class="matrix-says">{sentence(row.backends.map(({ outcome }) => outcome))}</td>
      <td class="matrix-rest">
        <When at={row.updated_at} />
      </td>
    </tr>
  );
}

// Green stays plain text; whatever is not green can be focused and opened.
function MatrixCell({ place, to }: { place: Place | undefined; to: string }) {
  const word = outcomeWord(place?.outcome ?? null);
  if (!place)
    return (
      <span class="quiet" title={word.word}>
        ·
      </span>
    );
  if (place.outcome === 'success')
    return (
      <span class="glyph plain tone-success" title={`${place.repo}: ${word.word}`}>
        {word.glyph}
      </span>
    );
  return (
    <a
      class={`glyph tone-${word.tone}`}
      href={`${to}#${place.repo}`}
      title={`${place.repo}: ${word.word}`}
      aria-label={`${place.repo}: ${word.word}`}
    >
      {word.glyph}
    </a>
  );
}
