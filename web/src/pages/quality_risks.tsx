// What may fall: how much each measured item may lose, and on which days evidence gets too old.
import type { Schemas } from '../api';
import { count, plural } from '../figures';
import { assessmentPath } from '../route';
import { Explained, Mark } from '../widgets/bits';
import { Section } from '../widgets/frame';
import { Table } from '../widgets/table';

type Release = Schemas['QualityRelease'];

// Both are of the assessment, not of a level: every way has the same.
export function Risks({ of }: { of: Release }) {
  const [gap] = of.gaps;
  if (!gap) return null;
  return (
    <>
      <Losses of={of} risks={gap.risks} />
      <Expiring of={of} expiring={gap.expiring} />
    </>
  );
}

function Losses({ of, risks }: { of: Release; risks: Schemas['QualityRisk'][] }) {
  return (
    <Section title={<Explained by="fall-risk">What may fall</Explained>} aside="measured items">
      {risks.length === 0 ? (
        <p class="quiet">Nothing was measured as a share.</p>
      ) : (
        <Table
          label="How much measured items may lose"
          class="quality-risks"
          rows={risks}
          keyOf={({ item }) => item}
          columns={[
            { head: 'Item', class: 'main', cell: ({ item }) => <Which item={item} of={of} /> },
            { head: 'Points on it', number: true, cell: ({ points }) => points },
            {
              head: 'May be lost',
              number: true,
              cell: ({ points, slack }) => (points > 0 ? (slack > 0 ? count(slack) : 'none: the next one costs points') : '–'),
            },
            {
              head: 'For more',
              number: true,
              dull: ({ next_needs: needs }) => needs === 0,
              cell: ({ next_needs: needs }) => (needs > 0 ? count(needs) : '–'),
            },
          ]}
        />
      )}
    </Section>
  );
}

function Which({ item, of }: { item: string; of: Release }) {
  const title = of.items.find(({ criterion }) => criterion.id === item)?.criterion.title ?? '';
  return (
    <>
      <a href={`${assessmentPath(of.platform.id, of.release)}#${encodeURIComponent(item)}`}>
        <code>{item}</code>
      </a>{' '}
      <bdi>{title}</bdi>
    </>
  );
}

const dayLong = 24 * 60 * 60 * 1000;

function Expiring({ of, expiring }: { of: Release; expiring: Schemas['QualityGap']['expiring'] }) {
  const today = of.as_of.slice(0, 10);
  const days = new Map<string, string[]>(); // in the order of the answer: the first to expire first
  for (const { item, on } of expiring) days.set(on, [...(days.get(on) ?? []), item]);
  const left = (on: string) => Math.round((Date.parse(on) - Date.parse(today)) / dayLong);
  return (
    <Section title={<Explained by="expired">Evidence expires</Explained>} aside="days on which all evidence of an item gets too old">
      {days.size === 0 ? (
        <p class="calm">Nothing that earns points has a limit.</p>
      ) : (
        <Table
          label="Days on which evidence expires"
          class="quality-expiring"
          rows={[...days].map(([on, items]) => ({ on, items }))}
          keyOf={({ on }) => on}
          columns={[
            { head: 'Counts until', class: 'main nowrap', cell: ({ on }) => on },
            {
              head: 'That is',
              class: 'nowrap',
              cell: ({ on }) =>
                on < today ? <Mark title="these points rest on evidence that no longer counts">expired</Mark> : on === today ? 'today' : `in ${plural(left(on), 'day')}`,
            },
            {
              head: 'Items',
              class: 'long',
              cell: ({ items }) => items.map((item) => (
                <a key={item} class="who" href={`${assessmentPath(of.platform.id, of.release)}#${encodeURIComponent(item)}`}>
                  {item}
                </a>
              )),
            },
          ]}
        />
      )}
    </Section>
  );
}
