// What if: change points of items and see what it comes to under every reading. All of it happens here; the relay is not asked.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { adjust, adjusted, query } from '../nav';
import { gradeWord, itemStates, pointsSentence, readings } from '../quality_words';
import { attainable, changesIn, changesText, outcomeOf, pointsOf, type Changes } from '../quality_score';
import { assessmentPath, choice, platformPath, text } from '../route';
import { Glyph, Mark, Name, State } from '../widgets/bits';
import { Switch } from '../widgets/controls';
import { Page, Section, Shown } from '../widgets/frame';
import { Grade } from '../widgets/grade';
import { Table } from '../widgets/table';
import { PageTwins } from '../widgets/twins';
import { Risks } from './quality_risks';

type Release = Schemas['QualityRelease'];
type Item = Schemas['QualityItem'];

export function QualityGap({ platform: id }: { platform: string }) {
  const answer = useAnswer(address('/api/v1/quality/{platform}', { platform: id }), { topics: ['relay'] });
  const name = answer.data?.platform.name ?? id;
  const head = (
    <>
      <Name>{name}</Name> <span class="quiet">what if</span>
    </>
  );
  const controls = (
    <>
      <Switch
        label="Which items"
        name="show"
        fallback="open"
        options={[
          { value: 'open', words: 'Open' },
          { value: 'all', words: 'All' },
        ]}
      />
      <a href={platformPath(id)}>Scorecard</a>
      <PageTwins path={`${platformPath(id)}/gap`} query={{ release: text(query.value, 'release') }} />
    </>
  );
  return (
    <Page title={`${name}, what if`} head={head} controls={controls}>
      <Shown answer={answer}>{(data) => <OfRelease id={id} release={text(query.value, 'release') || data.release} />}</Shown>
    </Page>
  );
}

function OfRelease({ id, release }: { id: string; release: string }) {
  const answer = useAnswer(address('/api/v1/quality/{platform}/{release}', { platform: id, release }), { topics: ['relay'] });
  return <Shown answer={answer}>{(data) => <WhatIf of={data} />}</Shown>;
}

function WhatIf({ of }: { of: Release }) {
  const changes = changesIn(text(query.value, 'with'), of.items);
  const set = (item: Item, points: number) => {
    const next = new Map(changes);
    if (points === item.proven) next.delete(item.criterion.id);
    else next.set(item.criterion.id, points);
    adjust({ with: changesText(next) });
  };
  const all = choice(query.value, 'show', ['open', 'all']) === 'all';
  const rows = of.items.filter((item) => item.max > 0 && (all || item.proven < item.max));
  return (
    <>
      <Result of={of} changes={changes} />
      <Ways of={of} />
      <Section title="Items" aside="move what would be different">
        <Table
          label="Items to change"
          class="quality-what-if"
          rows={rows}
          keyOf={({ criterion }) => criterion.id}
          columns={[
            { head: 'Item', class: 'main', cell: (item) => <What item={item} of={of} /> },
            { head: 'Now', class: 'nowrap', cell: (item) => <State word={itemStates[item.state]} /> },
            { head: 'Would be', cell: (item) => <Handle item={item} changes={changes} set={set} /> },
            { head: 'What helps', class: 'long', cell: ({ criterion, plan }) => <bdi>{plan || criterion.remedy}</bdi> },
          ]}
        />
      </Section>
      <Risks of={of} />
    </>
  );
}

function What({ item, of }: { item: Item; of: Release }) {
  const { id, title, priority } = item.criterion;
  return (
    <>
      <a href={`${assessmentPath(of.platform.id, of.release)}#${encodeURIComponent(id)}`}>
        <code>{id}</code>
      </a>{' '}
      <bdi>{title}</bdi> <Mark>{priority}</Mark>
      {item.blocked && <Mark title="nothing can be done about it now">blocked</Mark>}
    </>
  );
}

function Handle({ item, changes, set }: { item: Item; changes: Changes; set: (item: Item, points: number) => void }) {
  const { id, title } = item.criterion;
  const values = attainable(item);
  const { proven } = pointsOf(item, changes);
  const label = `${id} ${title}`;
  const says = (
    <span class="nowrap">
      {proven} of {item.max} {proven !== item.proven && <span class="quiet">(now {item.proven})</span>}
    </span>
  );
  if (values.length <= 2)
    return (
      <label class="handle">
        <input type="checkbox" aria-label={label} checked={proven >= item.max} onChange={(event) => set(item, event.currentTarget.checked ? item.max : 0)} />
        {says}
      </label>
    );
  return (
    <label class="handle">
      <input
        type="range"
        aria-label={label}
        aria-valuetext={`${proven} of ${item.max} points`}
        min={0}
        max={values.length - 1}
        step={1}
        value={values.filter((value) => value <= proven).length - 1}
        onInput={(event) => set(item, values[Number(event.currentTarget.value)] ?? 0)}
      />
      {says}
    </label>
  );
}

function Result({ of, changes }: { of: Release; changes: Changes }) {
  const made = outcomeOf(of, changes);
  const chosen = made.readings.find(({ reading }) => reading === of.score.reading) ?? made.readings[0]!;
  const word = gradeWord(chosen.level, chosen.rank, of.levels);
  const gained = made.proven - of.score.proven;
  return (
    <div class="what-if-result">
      <p class={`verdict tone-text-${word.tone}`} role="status">
        <Glyph word={word} />
        <span>
          <strong>{chosen.level}</strong> <span class="verdict-text">{pointsSentence(made)}.</span>
          <span class="sub">
            {changes.size === 0
              ? `As assessed at ${of.release}; nothing is changed.`
              : `${gained >= 0 ? '+' : '−'}${Math.abs(gained)} points against the assessment of ${of.release}. `}
            {changes.size > 0 && (
              <a data-adjust href={adjusted({ with: null })}>
                Begin anew
              </a>
            )}
          </span>
          {made.p0.open.length > 0 && <span class="sub">P0 items that would be open: {made.p0.open.join(', ')}</span>}
        </span>
      </p>
      <Table
        label="The result under four readings"
        class="quality-readings"
        rows={made.readings}
        keyOf={({ reading }) => reading}
        columns={[
          { head: 'Percent', class: 'main', cell: ({ reading }) => readings[reading as keyof typeof readings] ?? reading },
          { head: 'Asked for', cell: ({ needs }) => needs.map(({ level, points }) => `${level} ${points}`).join(', ') },
          { head: 'Would be', cell: ({ level, rank }) => <Grade name={level} rank={rank} levels={of.levels} /> },
        ]}
      />
    </div>
  );
}

// The cheapest ways, as the relay found them; one click takes all of its moves over.
function Ways({ of }: { of: Release }) {
  const rows = of.gaps
    .filter(({ reached }) => !reached)
    .flatMap(({ level, way, robust }) => [
      { level, kind: 'by the chosen reading', way },
      { level, kind: 'by every reading', way: robust },
    ]);
  if (rows.length === 0) return null;
  const taken = (way: Schemas['QualityWay']) => {
    const changes = new Map<string, number>();
    for (const { item: id, gain } of way.moves) {
      const item = of.items.find(({ criterion }) => criterion.id === id);
      if (item) changes.set(id, item.proven + gain);
    }
    return changesText(changes);
  };
  return (
    <Section title="Cheapest ways" aside="effort in the units of whoever estimated it">
      <Table
        label="Cheapest ways"
        rows={rows}
        keyOf={({ level, kind }) => `${level} ${kind}`}
        columns={[
          {
            head: 'To',
            class: 'main',
            cell: ({ level, kind }) => (
              <>
                {level}
                <span class="sub">{kind}</span>
              </>
            ),
          },
          { head: 'Effort', number: true, cell: ({ way }) => way?.effort ?? '–' },
          { head: 'Points', number: true, cell: ({ way }) => (way ? `${way.points} of ${way.target} asked for` : '–') },
          {
            head: 'Moves',
            class: 'long',
            cell: ({ way }) =>
              way ? way.moves.map(({ item, adds, gain }) => `${item}${adds.length ? ` (${adds.join(', ')})` : ''} +${gain}`).join(', ') : 'it cannot be reached',
          },
          {
            head: 'Try',
            cell: ({ way }) =>
              way ? (
                <a data-adjust href={adjusted({ with: taken(way) })}>
                  take it over
                </a>
              ) : (
                ''
              ),
          },
        ]}
      />
    </Section>
  );
}
