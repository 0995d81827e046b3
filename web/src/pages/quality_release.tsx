// One assessment, item by item: what is claimed, what it rests on and how old that is, who looked at it, and what would help.
import { useEffect } from 'preact/hooks';
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { plural } from '../figures';
import { fragment, query } from '../nav';
import { gradeWord, itemStates, pointsSentence, readings, trusts } from '../quality_words';
import { assessmentPath, choice, criteriaPath, platformPath, text } from '../route';
import { Explained, Glyph, Mark, Name, Out, Sha, State } from '../widgets/bits';
import { Find, Switch } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { Grade, Warnings } from '../widgets/grade';
import { Table } from '../widgets/table';
import { PageTwins } from '../widgets/twins';
import { Findings } from './quality_findings';
import { Sections } from './quality_platform';

type Release = Schemas['QualityRelease'];
type Item = Schemas['QualityItem'];

const shows = ['all', 'open', 'unknown', 'old'] as const;

export function QualityRelease({ platform: id, release }: { platform: string; release: string }) {
  const answer = useAnswer(address('/api/v1/quality/{platform}/{release}', { platform: id, release }), { topics: ['relay'] });
  const name = answer.data?.platform.name ?? id;
  const head = (
    <>
      <Name>{name}</Name> <span class="quiet">at {release}</span>
    </>
  );
  const controls = (
    <>
      <Switch
        label="Which items"
        name="show"
        fallback="all"
        options={[
          { value: 'all', words: 'All' },
          { value: 'open', words: 'Open' },
          { value: 'unknown', words: 'Unknown' },
          { value: 'old', words: 'Old evidence' },
        ]}
      />
      <Find placeholder="in this list" />
      <PageTwins path={assessmentPath(id, release)} />
    </>
  );
  return (
    <Page title={`${name} at ${release}`} head={head} controls={controls}>
      <Shown answer={answer}>
        {(data) => (
          <div aria-busy={answer.loading}>
            <Verdict of={data} />
            <Items of={data} />
            <Sections score={data.score} name={data.platform.name} />
            <Readings of={data} />
            <Interpretations of={data} />
            <Section title="Findings" aside="what is wrong with the file, or doubtful">
              {data.findings.length === 0 ? <p class="calm">Nothing.</p> : <Findings findings={data.findings} label="Findings" />}
            </Section>
            <Reproduce of={data} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Verdict({ of }: { of: Release }) {
  const { score, assessed, platform, decision } = of;
  const word = gradeWord(score.grade, score.rank, of.levels);
  return (
    <>
      <p class={`verdict tone-text-${word.tone}`}>
        <Glyph word={word} />
        <span>
          <strong>{score.grade}</strong> <span class="verdict-text">{pointsSentence(score)}.</span>
          {score.p0.open.length > 0 && (
            <span class="sub">
              P0 items that are open:{' '}
              {score.p0.open.map((id) => (
                <a key={id} class="who" href={`#${id}`}>
                  {id}
                </a>
              ))}
            </span>
          )}
        </span>
      </p>
      <Warnings of={score} />
      <p class="line">
        <a href={platformPath(platform.id)}>its scorecard</a>
        <span>
          assessed {assessed.on ?? 'on a day nobody stated'} by <bdi>{assessed.by.join(', ') || 'nobody named'}</bdi>, {assessed.status}
        </span>
        {assessed.requests && (
          <span>
            asks to be documented as <bdi>{assessed.requests}</bdi>
          </span>
        )}
        {decision && (
          <span>
            <Explained by="decision">decided</Explained>: <bdi>{decision.level}</bdi>
          </span>
        )}
        {platform.releases
          .filter((cell) => cell.release !== of.release)
          .map((cell) => (
            <a key={cell.release} href={assessmentPath(platform.id, cell.release)}>
              {cell.release}
            </a>
          ))}
      </p>
    </>
  );
}

function isWanted(item: Item): boolean {
  const show = choice(query.value, 'show', shows);
  if (show === 'open' && item.proven >= item.max) return false;
  if (show === 'unknown' && item.potential <= item.proven) return false;
  if (show === 'old' && !item.evidence.some(({ expired }) => expired)) return false;
  const find = text(query.value, 'find').toLowerCase();
  const { id, title, text: words, category } = item.criterion;
  return [id, title, words, category, item.note, item.plan, ...item.evidence.map((one) => `${one.id} ${one.type}`)].some((part) =>
    part.toLowerCase().includes(find),
  );
}

function Items({ of }: { of: Release }) {
  const wanted = fragment.value.slice(1);
  useEffect(() => {
    if (wanted) document.getElementById(wanted)?.scrollIntoView();
  }, [wanted]);
  const rows = of.items.filter(isWanted);
  return (
    <Section title="Items" aside={`${plural(rows.length, 'item')} of ${of.items.length}`}>
      {rows.length === 0 ? (
        <Empty title="No item fits the filters" />
      ) : (
        <Table
          label="Items"
          class="quality-items"
          rows={rows}
          keyOf={({ criterion }) => criterion.id}
          columns={[
            { head: 'Item', class: 'main', cell: (item) => <What item={item} /> },
            { head: 'Stands', help: 'item-state', cell: (item) => <Stands item={item} /> },
            { head: 'Evidence', class: 'long', cell: (item) => <Evidence item={item} /> },
            { head: 'Review', dull: ({ review }) => review === null, cell: (item) => <Review item={item} /> },
            { head: 'Then', class: 'long', cell: (item) => <Then item={item} /> },
          ]}
        />
      )}
    </Section>
  );
}

function What({ item }: { item: Item }) {
  const { id, title, priority, text: asked } = item.criterion;
  return (
    <span id={id} class="quality-item">
      <code>{id}</code> <bdi>{title}</bdi> <Mark title={priority === 'P0' ? 'the best level asks for every P0 item' : 'priority'}>{priority}</Mark>
      {asked && (
        <span class="sub">
          <bdi>{asked}</bdi>
        </span>
      )}
    </span>
  );
}

function Stands({ item }: { item: Item }) {
  const { value, criterion } = item;
  const unknown = item.potential - item.proven;
  return (
    <div>
      <State word={itemStates[item.state]} />
      <span class="sub">
        {item.state === 'exempt' ? `${item.exempt} points left out` : `${item.proven} of ${item.max} points${unknown > 0 ? `, ${unknown} unknown` : ''}`}
      </span>
      {item.earned.length > 0 && criterion.kind !== 'bin' && (
        <span class="sub">
          <bdi>{criterion.kind === 'step' ? `step ${item.earned.join(', ')} %` : item.earned.join(', ')}</bdi>
        </span>
      )}
      {value && value.num !== null && (
        <span class="sub">
          measured: {value.num} of {value.den}
        </span>
      )}
      {value?.figures.map((figure) => (
        <span key={figure.name} class="sub">
          <bdi>{figure.name}</bdi>: {figure.value}
        </span>
      ))}
      {item.why && item.why !== item.note && (
        <span class="sub">
          <bdi>{item.why}</bdi>
        </span>
      )}
      {item.reason && (
        <span class="sub">
          <bdi>{item.reason}</bdi>
        </span>
      )}
    </div>
  );
}

function Evidence({ item }: { item: Item }) {
  if (item.evidence.length === 0) return <span class="quiet">none</span>;
  return (
    <ul class="quality-evidence">
      {item.evidence.map((one) => (
        <li key={one.id}>
          <Out to={one.url}>
            <bdi>{one.id}</bdi>
          </Out>{' '}
          <span class="quiet">
            {one.type}
            {one.age_days !== null && `, ${plural(one.age_days, 'day')} old`}
            {one.max_age_days > 0 && ` of ${one.max_age_days}`},{' '}
            <span title={trusts[one.trust].meaning}>
              <Explained by="trust">
                {one.trust} {trusts[one.trust].words}
              </Explained>
            </span>
          </span>{' '}
          {one.expired && <Mark title={`it may be ${one.max_age_days} days old at most`}>too old</Mark>}
          {!one.public && <Mark title="nobody can read it without logging in">not public</Mark>}
          {one.source && (
            <span class="sub">
              <bdi>{one.source}</bdi>
            </span>
          )}
          {one.signed_by && (
            <span class="sub">
              signed by <bdi>{one.signed_by}</bdi>
            </span>
          )}
          {one.note && (
            <span class="sub">
              <bdi>{one.note}</bdi>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Review({ item }: { item: Item }) {
  if (item.review === null) return <span class="quiet">nobody yet</span>;
  const { by, on, verdict, reason } = item.review;
  return (
    <div>
      {verdict} by <bdi>{by}</bdi>
      <span class="sub">
        {on} {item.before_review !== null && `it had ${item.before_review} points before`}
      </span>
      {reason && (
        <span class="sub">
          <bdi>{reason}</bdi>
        </span>
      )}
    </div>
  );
}

function Then({ item }: { item: Item }) {
  const open = item.proven < item.max;
  const failed = item.checks.filter(({ state }) => state !== 'pass');
  return (
    <div>
      {failed.length > 0 && (
        <span class="sub">
          {failed.map(({ id, state }) => `${id}: ${state}`).join(', ')}
        </span>
      )}
      {item.note && (
        <span class="sub">
          <bdi>{item.note}</bdi>
        </span>
      )}
      {item.plan && (
        <span class="sub">
          plan: <bdi>{item.plan}</bdi>
        </span>
      )}
      {open && item.criterion.remedy && <bdi>{item.criterion.remedy}</bdi>}
    </div>
  );
}

function Readings({ of }: { of: Release }) {
  const { score, levels } = of;
  return (
    <Section title={<Explained by="reading">Four readings</Explained>} aside={score.reading_sensitive ? 'they disagree' : 'they agree'}>
      <Table
        label="Four readings"
        class="quality-readings"
        rows={score.readings}
        keyOf={({ reading }) => reading}
        columns={[
          {
            head: 'Percent',
            class: 'main',
            cell: ({ reading }) => (
              <>
                {readings[reading] ?? reading} {reading === score.reading && <Mark title="the grade follows this one">chosen</Mark>}
              </>
            ),
          },
          { head: 'Total', number: true, cell: ({ total }) => total },
          { head: 'Asked for', cell: ({ thresholds }) => thresholds.map(({ level, points }) => `${level} ${points}`).join(', ') },
          { head: 'Grade', cell: ({ grade, rank }) => <Grade name={grade} rank={rank} levels={levels} /> },
          { head: 'With all that is unknown', cell: ({ potential_grade: grade, potential_rank: rank }) => <Grade name={grade} rank={rank} levels={levels} /> },
        ]}
      />
    </Section>
  );
}

function Interpretations({ of }: { of: Release }) {
  if (of.interpretations.length === 0) return null;
  return (
    <Section title={<Explained by="interpretations">Interpretations applied</Explained>} aside="where the document leaves a question open">
      <ul class="quality-answers">
        {of.interpretations.map(({ number, items }) => (
          <li key={number}>
            <strong>{number}</strong> <span class="quiet">{items.join(', ')}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Reproduce({ of }: { of: Release }) {
  return (
    <Section title="The same again" aside="equal inputs give equal answers">
      <p>
        <code>baton quality score {of.path}</code>
      </p>
      <p class="line">
        <span>
          criteria{' '}
          <a href={criteriaPath(of.criteria)}>
            <bdi>
              {of.criteria.set}/{of.criteria.version}
            </bdi>
          </a>{' '}
          <Sha sha={of.criteria.digest} />
        </span>
        <span>
          assessment <Sha sha={of.digest} />
        </span>
      </p>
    </Section>
  );
}
