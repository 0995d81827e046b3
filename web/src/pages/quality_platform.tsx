// One platform: its grade and what it rests on, section by section, how it came there, and what users may expect of it.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { plural } from '../figures';
import { asks, gradeWord, made, open, pointsSentence, steps, supports } from '../quality_words';
import { assessmentPath, criteriaPath, downstreamPath, platformPath } from '../route';
import { Explained, Glyph, Mark, Name, Out, State } from '../widgets/bits';
import { Page, Section, Shown } from '../widgets/frame';
import { BarKey, Grade, PointsBar, Warnings } from '../widgets/grade';
import { GradeSteps } from '../widgets/grade_steps';
import { Table } from '../widgets/table';
import { PageTwins } from '../widgets/twins';

type Platform = Schemas['QualityPlatform'];
type Score = Schemas['QualityScore'];

export function QualityPlatform({ platform: id }: { platform: string }) {
  const answer = useAnswer(address('/api/v1/quality/{platform}', { platform: id }), { topics: ['relay'] });
  const name = answer.data?.platform.name ?? id;
  return (
    <Page title={name} head={<Name>{name}</Name>} controls={answer.data && <Links of={answer.data} />}>
      <Shown answer={answer}>
        {(data) => (
          <div aria-busy={answer.loading}>
            <Verdict of={data} />
            <About of={data} />
            <Sections score={data.score} name={data.platform.name} />
            <History of={data} />
            <Process of={data} />
            <Support rows={data.support} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Links({ of }: { of: Platform }) {
  const { platform, release } = of;
  return (
    <>
      <a href={assessmentPath(platform.id, release)}>Every item</a>
      <a href={`${platformPath(platform.id)}/gap`}>What if</a>
      <a href={`/quality/compare?a=${encodeURIComponent(`${platform.id} ${platform.releases[1]?.release ?? release}`)}&b=${encodeURIComponent(`${platform.id} ${release}`)}`}>
        Compare
      </a>
      <PageTwins path={platformPath(platform.id)} more={['svg']} />
    </>
  );
}

export function thresholdsOf(score: Score): Schemas['QualityThreshold'][] {
  return score.readings.find(({ reading }) => reading === score.reading)?.thresholds ?? [];
}

function Verdict({ of }: { of: Platform }) {
  const { platform, score, release } = of;
  const word = gradeWord(score.grade, score.rank, platform.levels);
  const next = platform.levels.filter(({ rank }) => rank > score.rank).at(-1);
  const decision = platform.releases[0]?.decision;
  return (
    <>
      <p class={`verdict tone-text-${word.tone}`}>
        <Glyph word={word} />
        <span>
          <strong>{score.grade}</strong> <span class="verdict-text">at PyTorch {release}: {pointsSentence(score)}.</span>
          <span class="sub">
            <bdi>{word.meaning}</bdi>
          </span>
          {next && (
            <span class="sub">
              {next.name} asks for {asks(next, thresholdsOf(score))}
              {next.require.all_priority === 'P0' && score.p0.open.length > 0 && `; open: ${score.p0.open.join(', ')}`}.{' '}
              <a href={`${platformPath(platform.id)}/gap`}>What would be enough?</a>
            </span>
          )}
        </span>
      </p>
      <Warnings of={score} />
      <p class="line">
        <span>
          <Explained by="documented">documented</Explained> <Grade name={platform.documented} rank={platform.documented_rank} levels={platform.levels} />
        </span>
        {decision && (
          <span>
            <Explained by="decision">decided</Explained>: <Out to={decision.link}><bdi>{decision.level}</bdi></Out>
            {decision.on && `, ${decision.on}`}
            {decision.by && (
              <>
                , by <bdi>{decision.by}</bdi>
              </>
            )}
          </span>
        )}
        {score.potential_rank > score.rank && <span>up to {score.potential_grade}, were all that is unknown there</span>}
        {score.reading_sensitive && <Mark title="the four ways to read the document disagree about this grade">reading-sensitive</Mark>}
        {platform.stale && <Mark title="others have newer releases assessed, this one has not">stale</Mark>}
      </p>
    </>
  );
}

function About({ of }: { of: Platform }) {
  const { platform } = of;
  const facts = [
    ['Vendor', platform.vendor],
    ['System', platform.os],
    ['Version', of.product_version],
    ['Hardware', of.hardware.join(', ')],
    ['Stack', of.stack.map(({ name, version }) => `${name} ${version}`).join(', ')],
    ['Backend', [of.backend_kind, platform.device, of.package].filter(Boolean).join(', ')],
    ['Targets', of.targets.join(', ')],
  ].filter(([, value]) => value);
  return (
    <dl class="pairs">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
      <div>
        <dt>Criteria</dt>
        <dd>
          <a href={criteriaPath(platform)}>
            <bdi>
              {platform.set}/{platform.version}
            </bdi>
          </a>
        </dd>
      </div>
      {platform.downstream !== null && (
        <div>
          <dt>Downstream</dt>
          <dd>
            <a href={downstreamPath(platform.downstream)}>
              <Name>{platform.downstream}</Name>
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}

export function Sections({ score, name }: { score: Score; name: string }) {
  const whole = { id: '', title: 'All sections', ...score };
  const longest = Math.max(1, ...score.sections.map(({ max, exempt }) => max + exempt));
  const rows = score.sections.map((section) => ({ section }));
  return (
    <Section title={<Explained by="points">Points</Explained>} aside={<BarKey />}>
      <p class="quality-whole">
        <PointsBar of={whole} longest={score.max + score.exempt} ticks={thresholdsOf(score)} />
        <span class="quiet">
          {pointsSentence(score)}; {score.percent}
          {score.p0.open.length > 0 && `; P0 items that are open: ${score.p0.open.join(', ')}`}. The lines:{' '}
          {thresholdsOf(score)
            .map(({ level, points }) => `${level} from ${points}`)
            .join(', ')}
          .
        </span>
      </p>
      <Table
        label={`Points of ${name} by section`}
        class="quality-sections"
        rows={rows}
        keyOf={({ section }) => section.id}
        columns={[
          { head: 'Section', class: 'main', cell: ({ section }) => <bdi>{section.title}</bdi> },
          { head: 'Bar', class: 'bar', cell: ({ section }) => <PointsBar of={section} longest={longest} /> },
          { head: 'Proven', number: true, cell: ({ section }) => section.proven },
          { head: 'Unknown', number: true, dull: ({ section }) => section.potential === section.proven, cell: ({ section }) => section.potential - section.proven },
          { head: 'Missing', number: true, dull: ({ section }) => section.max === section.potential, cell: ({ section }) => section.max - section.potential },
          { head: 'Exempt', number: true, dull: ({ section }) => section.exempt === 0, cell: ({ section }) => section.exempt },
          { head: 'Of', number: true, cell: ({ section }) => section.max },
        ]}
      />
    </Section>
  );
}

function History({ of }: { of: Platform }) {
  const { platform, history, consecutive } = of;
  return (
    <Section title="Grade and documented level" aside={`a level needs ${plural(consecutive, 'release')} in a row`}>
      <p class="quiet bar-key">
        <span>
          <LineSample look="graded" /> grade
        </span>
        <span>
          <LineSample look="documented" /> documented
        </span>
      </p>
      <GradeSteps points={history} levels={platform.levels} />
      <Table
        label="Grade and documented level by release"
        class="quality-history"
        rows={[...history].reverse()}
        keyOf={({ release }) => release}
        columns={[
          {
            head: 'Release',
            class: 'main',
            cell: (point) => (point.rank === null ? point.release : <a href={assessmentPath(platform.id, point.release)}>{point.release}</a>),
          },
          {
            head: 'Grade',
            cell: (point) =>
              point.rank === null ? <span class="quiet">not assessed</span> : <Grade name={point.grade ?? ''} rank={point.rank} levels={platform.levels} />,
          },
          {
            head: 'Points',
            cell: ({ release }) => {
              const cell = platform.releases.find((one) => one.release === release);
              return cell ? pointsSentence(cell) : '–';
            },
          },
          {
            head: 'Documented',
            cell: (point) => (
              <>
                <Grade name={point.documented} rank={point.documented_rank} levels={platform.levels} /> {point.stale && <Mark>stale</Mark>}
              </>
            ),
          },
        ]}
      />
    </Section>
  );
}

function LineSample({ look }: { look: string }) {
  return (
    <svg width="22" height="8" viewBox="0 0 22 8" aria-hidden="true">
      <path class={`grade-${look}`} d="M0 4L22 4" />
    </svg>
  );
}

function Process({ of }: { of: Platform }) {
  const { process } = of;
  const due =
    process.due === null ? (
      'the next assessment has no date'
    ) : (
      <>
        next assessment due {process.due} {process.overdue && <Mark title="that day is over">overdue</Mark>}
      </>
    );
  return (
    <Section title={<Explained by="process">Process</Explained>} aside={due}>
      <ol class="steps">
        {process.steps.map(({ step, on, link, outcome }) => (
          <li key={step}>
            <Glyph word={on === null ? open : made} />
            <span>
              <Out to={link}>{steps[step] ?? step}</Out>
              {outcome && (
                <span class="sub">
                  <bdi>{outcome}</bdi>
                </span>
              )}
            </span>
            <span class="quiet nowrap">{on ?? 'not yet'}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Support({ rows }: { rows: Platform['support'] }) {
  return (
    <Section title={<Explained by="support">What it supports</Explained>} aside="as its vendor says">
      {rows.length === 0 ? (
        <p class="quiet">Nothing was said.</p>
      ) : (
        <Table
          label="What it supports"
          class="quality-support"
          rows={rows}
          keyOf={({ feature }) => feature}
          columns={[
            { head: 'Feature', class: 'main', cell: ({ feature }) => <bdi>{feature}</bdi> },
            { head: 'Support', class: 'nowrap', cell: ({ support }) => <State word={supports[support]} /> },
            { head: 'Note', class: 'long', dull: ({ note }) => !note, cell: ({ note }) => <bdi>{note}</bdi> },
          ]}
        />
      )}
    </Section>
  );
}
