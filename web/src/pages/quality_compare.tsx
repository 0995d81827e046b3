// Two assessments side by side: of two platforms, or of two releases of one.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { adjust, query } from '../nav';
import { itemStates, pointsSentence } from '../quality_words';
import { assessmentPath, choice, text } from '../route';
import { Mark, Name, State } from '../widgets/bits';
import { Switch } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { Grade } from '../widgets/grade';
import { Table } from '../widgets/table';
import { PageTwins } from '../widgets/twins';

type Release = Schemas['QualityRelease'];
type Matrix = Schemas['Quality'];

interface Pick {
  platform: string;
  release: string;
}

// "tessera-tx1-linux 2.14"
function picked(side: string): Pick | null {
  const [platform, release] = text(query.value, side).split(' ');
  return platform && release ? { platform, release } : null;
}

const nameOf = ({ platform, release }: Pick) => `${platform} ${release}`;

export function QualityCompare() {
  const answer = useAnswer(address('/api/v1/quality'), { topics: ['relay'] });
  const [a, b] = [picked('a'), picked('b')];
  const controls = (
    <>
      <Side side="a" label="First" matrix={answer.data} />
      <Side side="b" label="Second" matrix={answer.data} />
      <Switch
        label="Which items"
        name="show"
        fallback="different"
        options={[
          { value: 'different', words: 'Different' },
          { value: 'all', words: 'All' },
        ]}
      />
      {a && b && <PageTwins path="/quality/compare" query={{ a: nameOf(a), b: nameOf(b) }} />}
    </>
  );
  return (
    <Page title="Compare platforms" controls={controls}>
      <Shown answer={answer}>
        {() => (a && b ? <Both a={a} b={b} /> : <Empty title="Choose two assessments">Above: of two platforms, or of two releases of one.</Empty>)}
      </Shown>
    </Page>
  );
}

function Side({ side, label, matrix }: { side: string; label: string; matrix: Matrix | undefined }) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={text(query.value, side)} onChange={(event) => adjust({ [side]: event.currentTarget.value })}>
        <option value="">choose</option>
        {matrix?.rows.flatMap(({ id, name, releases }) =>
          releases.map(({ release }) => (
            <option key={`${id} ${release}`} value={`${id} ${release}`}>
              {name}, {release}
            </option>
          )),
        )}
      </select>
    </label>
  );
}

function Both({ a, b }: { a: Pick; b: Pick }) {
  const first = useAnswer(address('/api/v1/quality/{platform}/{release}', { ...a }), { topics: ['relay'] });
  const second = useAnswer(address('/api/v1/quality/{platform}/{release}', { ...b }), { topics: ['relay'] });
  return <Shown answer={first}>{(one) => <Shown answer={second}>{(other) => <Differences a={one} b={other} />}</Shown>}</Shown>;
}

interface Row {
  id: string;
  title: string;
  priority: string;
  a: Schemas['QualityItem'] | undefined;
  b: Schemas['QualityItem'] | undefined;
}

function rowsOf(a: Release, b: Release): Row[] {
  const rows = new Map<string, Row>();
  for (const [side, release] of [['a', a], ['b', b]] as const)
    for (const item of release.items) {
      const { id, title, priority } = item.criterion;
      const row = rows.get(id) ?? { id, title, priority, a: undefined, b: undefined };
      row[side] = item;
      rows.set(id, row);
    }
  return [...rows.values()];
}

const change = ({ a, b }: Row) => (b?.proven ?? 0) - (a?.proven ?? 0);

function Differences({ a, b }: { a: Release; b: Release }) {
  const all = choice(query.value, 'show', ['different', 'all']) === 'all';
  const rows = rowsOf(a, b)
    .filter((row) => all || change(row) !== 0 || row.a?.state !== row.b?.state)
    .sort((one, other) => Math.abs(change(other)) - Math.abs(change(one)));
  return (
    <>
      <dl class="cards">
        <Card of={a} label="First" />
        <Card of={b} label="Second" />
      </dl>
      <Section title="Items" aside="largest difference first">
        {rows.length === 0 ? (
          <p class="calm">No item differs.</p>
        ) : (
          <Table
            label="Items of both"
            class="quality-compare"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                head: 'Item',
                class: 'main',
                cell: ({ id, title, priority }) => (
                  <>
                    <code>{id}</code> <bdi>{title}</bdi> <Mark>{priority}</Mark>
                  </>
                ),
              },
              { head: 'First', cell: ({ a: item }) => <Stands item={item} /> },
              { head: 'Second', cell: ({ b: item }) => <Stands item={item} /> },
              {
                head: 'Difference',
                number: true,
                cell: (row) => `${change(row) > 0 ? '+' : change(row) < 0 ? '−' : '±'}${Math.abs(change(row))}`,
              },
            ]}
          />
        )}
      </Section>
    </>
  );
}

function Card({ of, label }: { of: Release; label: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <a href={assessmentPath(of.platform.id, of.release)}>
          <Name>{of.platform.name}</Name>, {of.release}
        </a>
        <span class="sub">
          <Grade name={of.score.grade} rank={of.score.rank} levels={of.levels} />
        </span>
        <span class="sub">{pointsSentence(of.score)}</span>
      </dd>
    </div>
  );
}

function Stands({ item }: { item: Schemas['QualityItem'] | undefined }) {
  if (!item) return <span class="quiet">not in its criteria</span>;
  return (
    <div>
      <State word={itemStates[item.state]} />
      <span class="sub">
        {item.proven} of {item.max}
      </span>
    </div>
  );
}
