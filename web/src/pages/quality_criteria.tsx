// The criteria: which there are, and one set of them, item by item, with what its document has wrong.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { count, plural } from '../figures';
import { readings } from '../quality_words';
import { criteriaPath } from '../route';
import { Explained, Mark, Name, Out, Sha } from '../widgets/bits';
import { Page, Section, Shown } from '../widgets/frame';
import { Table } from '../widgets/table';
import { PageTwins } from '../widgets/twins';
import { Faulty } from './quality';
import { Findings } from './quality_findings';

type Criteria = Schemas['QualityCriteria'];
type Criterion = Schemas['QualityCriterion'];

const listControls = (
  <>
    <a href="/quality">Platforms</a>
    <PageTwins path="/quality/criteria" />
  </>
);

export function QualityCriteriaList() {
  const answer = useAnswer(address('/api/v1/quality/criteria'), { topics: ['relay'] });
  return (
    <Page title="Criteria of platform quality" controls={listControls}>
      <Shown answer={answer}>
        {({ rows, faulty }) => (
          <>
            <Table
              label="Criteria"
              rows={rows}
              keyOf={({ set, version }) => `${set}/${version}`}
              columns={[
                {
                  head: 'Criteria',
                  class: 'main',
                  cell: (row) => (
                    <>
                      <a href={criteriaPath(row)}>
                        <Name>{`${row.set}/${row.version}`}</Name>
                      </a>
                      <span class="sub">
                        <bdi>{row.title}</bdi>
                      </span>
                    </>
                  ),
                },
                { head: 'Items', number: true, cell: ({ items }) => count(items) },
                { head: 'Points', number: true, cell: ({ rows_total: total }) => count(total) },
                { head: 'Printed', number: true, cell: ({ printed_total: total }) => (total === null ? '–' : count(total)) },
                { head: 'Levels', cell: ({ levels }) => <bdi>{levels.join(', ')}</bdi> },
                { head: 'Platforms', number: true, cell: ({ platforms }) => count(platforms) },
                { head: 'From', cell: ({ builtin }) => (builtin ? 'built in' : 'this relay’s folder') },
              ]}
            />
            <Faulty files={faulty} />
          </>
        )}
      </Shown>
    </Page>
  );
}

export function QualityCriteria({ set, version }: { set: string; version: string }) {
  const answer = useAnswer(address('/api/v1/quality/criteria/{set}/{version}', { set, version }), { topics: ['relay'] });
  const name = `${set}/${version}`;
  const controls = (
    <>
      <a href="/quality/criteria">All criteria</a>
      <PageTwins path={criteriaPath({ set, version })} />
    </>
  );
  return (
    <Page title={name} head={<Name>{name}</Name>} controls={controls}>
      <Shown answer={answer}>
        {(data) => (
          <>
            <About of={data} />
            <Levels of={data} />
            {data.sections.map((section) => (
              <Items key={section.id} section={section} items={data.items.filter((item) => item.section === section.id)} />
            ))}
            <Section title="Findings" aside="where the document contradicts itself">
              {data.findings.length === 0 ? <p class="calm">Nothing.</p> : <Findings findings={data.findings} label="Findings" />}
            </Section>
            <Rest of={data} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function About({ of }: { of: Criteria }) {
  const { criteria, source } = of;
  return (
    <>
      <p class="answer">
        <strong>
          <bdi>{criteria.title || `${criteria.set}/${criteria.version}`}</bdi>
        </strong>{' '}
        <span class="quiet">
          <bdi>{of.text}</bdi>
        </span>
      </p>
      <p class="line">
        <span>
          {plural(criteria.items, 'item')}, {count(criteria.rows_total)} points
          {criteria.printed_total !== null && criteria.printed_total !== criteria.rows_total && ` where the document prints ${count(criteria.printed_total)}`}
        </span>
        {source.url && (
          <Out to={source.url}>
            <bdi>{[source.repo, source.pull !== null && `#${source.pull}`, source.commit].filter(Boolean).join(' ') || 'the document'}</bdi>
          </Out>
        )}
        <span>{criteria.builtin ? 'built in' : 'from this relay’s folder'}</span>
        <span>
          digest <Sha sha={criteria.digest} />
        </span>
        <span>
          <Explained by="reading">percent</Explained> {readings[of.reading as keyof typeof readings] ?? of.reading}
        </span>
      </p>
    </>
  );
}

function Levels({ of }: { of: Criteria }) {
  return (
    <Section title="Levels" aside={`documented after ${plural(of.history.consecutive, 'release')} in a row`}>
      <Table
        label="Levels"
        rows={of.levels}
        keyOf={({ rank }) => rank}
        columns={[
          { head: 'Level', class: 'main', cell: ({ name }) => <bdi>{name}</bdi> },
          { head: 'Asks for', cell: ({ require: asked }) => <bdi>{requirement(asked)}</bdi> },
          { head: 'Users may expect', class: 'long', cell: ({ promise }) => <bdi>{promise}</bdi> },
        ]}
      />
    </Section>
  );
}

function requirement(asked: Schemas['QualityRequirement']): string {
  const parts = [
    asked.percent !== null && `${asked.percent} % of the points`,
    asked.points !== null && `${asked.points} points`,
    asked.all_priority && `every ${asked.all_priority} item`,
    asked.items.length > 0 && asked.items.join(', '),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' and ') : 'nothing';
}

const kinds: Record<Criterion['kind'], string> = { bin: 'all or nothing', add: 'the sum of its parts', step: 'the highest step', metric: 'measured, all or nothing' };

function Items({ section, items }: { section: Criteria['sections'][number]; items: Criterion[] }) {
  const { title, rows, printed } = section;
  const aside = printed === null || printed === rows ? `${rows} points` : `${rows} points where the document prints ${printed}`;
  return (
    <Section title={<bdi>{title}</bdi>} aside={aside}>
      <Table
        label={`Items of ${title}`}
        class="quality-criteria"
        rows={items}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Item',
            class: 'main',
            cell: ({ id, title: name, priority }) => (
              <>
                <code>{id}</code> <bdi>{name}</bdi> <Mark>{priority}</Mark>
              </>
            ),
          },
          { head: 'Points', number: true, cell: ({ max }) => max },
          { head: 'Asks for', class: 'long', cell: (item) => <Asked item={item} /> },
          { head: 'What helps', class: 'long', cell: ({ remedy }) => <bdi>{remedy}</bdi> },
        ]}
      />
    </Section>
  );
}

function Asked({ item }: { item: Criterion }) {
  const parts = item.parts.map(({ id, points }) => `${id} ${points}`).join(', ');
  const steps = item.steps.map(({ percent, points }) => `${percent} %: ${points}`).join(', ');
  const limits = item.limits.map(({ figure, comparison, bound }) => `${figure} ${comparison} ${bound}`).join(', ');
  return (
    <div>
      <bdi>{item.text}</bdi>
      <span class="sub">
        {kinds[item.kind]}
        {(parts || steps || limits) && <bdi>: {parts || steps || limits}</bdi>}
      </span>
      {item.checks.length > 0 && (
        <span class="sub">
          <bdi>{item.checks.map(({ text }) => text).join('; ')}</bdi>
        </span>
      )}
      {item.exempt_without && (
        <span class="sub">
          exempt where <bdi>{item.exempt_without}</bdi> is no target
        </span>
      )}
      {item.interpretations.length > 0 && <span class="sub">{item.interpretations.join(', ')}</span>}
    </div>
  );
}

function Rest({ of }: { of: Criteria }) {
  const pairs = [
    ...of.parameters.map(({ name, value }) => ({ name, value })),
    ...of.reserved.map(({ id, why }) => ({ name: `${id} is reserved`, value: why })),
  ];
  if (pairs.length === 0) return null;
  return (
    <Section title="Parameters and reserved ids">
      <dl class="pairs">
        {pairs.map(({ name, value }) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
