// Platforms by releases: who stands where, which way it goes, what is documented, and which files cannot be used.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { count, plural } from '../figures';
import { adjust, query } from '../nav';
import { assessmentPath, choice, criteriaPath, platformPath, text } from '../route';
import { Explained, Mark, Name } from '../widgets/bits';
import { Find, Switch } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { Grade, Points } from '../widgets/grade';
import { Table, type Column } from '../widgets/table';
import { PageTwins } from '../widgets/twins';
import { Findings } from './quality_findings';

type Matrix = Schemas['Quality'];
type Line = Schemas['QualityPlatformLine'];

const releasesMost = 6;

export function Quality() {
  const answer = useAnswer(address('/api/v1/quality'), { topics: ['relay'] });
  const controls = (
    <>
      <Switch
        label="Which platforms"
        name="show"
        fallback="all"
        options={[
          { value: 'all', words: 'All' },
          { value: 'open', words: 'To look after' },
        ]}
      />
      <LevelChoice matrix={answer.data} />
      <Find placeholder="in this list" />
      <a href="/quality/criteria">Criteria</a>
      <a href="/quality/compare">Compare</a>
      <PageTwins path="/quality" more={['csv']} />
    </>
  );
  return (
    <Page title="Platform quality" controls={controls}>
      <Shown answer={answer}>
        {(matrix) => (
          <div aria-busy={answer.loading}>
            <Rows matrix={matrix} />
            <Faulty files={matrix.faulty} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function LevelChoice({ matrix }: { matrix: Matrix | undefined }) {
  const names = [...new Set(matrix?.rows.flatMap(({ levels }) => levels.map(({ name }) => name)) ?? [])];
  if (names.length === 0) return null;
  return (
    <label class="field">
      <span>Grade</span>
      <select value={text(query.value, 'grade')} onChange={(event) => adjust({ grade: event.currentTarget.value })}>
        <option value="">any</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

// What somebody should do something about.
function isOpen(line: Line): boolean {
  const [newest] = line.releases;
  return line.stale || line.overdue || (newest !== undefined && (newest.expired > 0 || newest.errors > 0));
}

function wanted(line: Line): boolean {
  const asked = query.value;
  const grade = text(asked, 'grade');
  const find = text(asked, 'find').toLowerCase();
  if (choice(asked, 'show', ['all', 'open']) === 'open' && !isOpen(line)) return false;
  if (grade && line.releases[0]?.grade !== grade) return false;
  return [line.id, line.name, line.vendor, line.device, line.os, line.repo].some((words) => words.toLowerCase().includes(find));
}

function Rows({ matrix }: { matrix: Matrix }) {
  if (!matrix.configured)
    return (
      <Empty title="No assessments are configured">
        <code>quality: &#123;assessments: FOLDER&#125;</code> in the configuration names a folder with PLATFORM/RELEASE.yml; it is read at start and on
        reload.
      </Empty>
    );
  if (matrix.rows.length === 0)
    return <Empty title="Nothing has been assessed yet">`baton quality init` writes the first file of a platform.</Empty>;
  const rows = matrix.rows.filter(wanted);
  return (
    <>
      <p class="answer">
        <strong>{plural(matrix.rows.length, 'platform')}.</strong>{' '}
        {matrix.reached.map(({ criteria, levels }) => (
          <span key={criteria} class="quiet">
            <bdi>{criteria}</bdi>: {levels.map(({ name, platforms }) => `${count(platforms)} ${name}`).join(', ')}.{' '}
          </span>
        ))}
      </p>
      {rows.length === 0 ? (
        <Empty title="No platform fits the filters">{plural(matrix.rows.length, 'platform')} would without them.</Empty>
      ) : (
        <Table label="Platforms by releases" class="quality-matrix" rows={rows} keyOf={({ id }) => id} columns={columnsOf(matrix)} />
      )}
    </>
  );
}

function columnsOf(matrix: Matrix): Column<Line>[] {
  return [
    { head: 'Platform', class: 'main', cell: (line) => <Which line={line} /> },
    { head: 'Documented', help: 'documented', cell: (line) => <Documented line={line} /> },
    { head: 'Trend', class: 'nowrap', cell: (line) => <Trend line={line} /> },
    ...matrix.releases.slice(0, releasesMost).map(
      (release): Column<Line> => ({
        head: release,
        dull: (line) => !line.releases.some((cell) => cell.release === release),
        cell: (line) => <Cell line={line} release={release} />,
      }),
    ),
  ];
}

function Which({ line }: { line: Line }) {
  return (
    <>
      <a href={platformPath(line.id)}>
        <Name>{line.name}</Name>
      </a>
      <span class="sub">
        <bdi>{[line.vendor, line.os].filter(Boolean).join(', ')}</bdi>
      </span>
      <span class="sub">
        by{' '}
        <a href={criteriaPath(line)}>
          <bdi>
            {line.set}/{line.version}
          </bdi>
        </a>
      </span>
    </>
  );
}

export function Documented({ line }: { line: Line }) {
  const decision = line.releases[0]?.decision;
  return (
    <div>
      <Grade name={line.documented} rank={line.documented_rank} levels={line.levels} />
      {line.stale && (
        <span class="sub">
          <Mark title="others have newer releases assessed, this one has not">stale</Mark>
        </span>
      )}
      {decision && (
        <span class="sub">
          decided: <bdi>{decision.level}</bdi>
        </span>
      )}
      {line.overdue && (
        <span class="sub">
          <Mark title={`the next assessment was due on ${line.due ?? ''}`}>overdue</Mark>
        </span>
      )}
    </div>
  );
}

function Trend({ line }: { line: Line }) {
  if (line.trend === null) return <span class="quiet">first one</span>;
  const { ranks, proven, since } = line.trend;
  const way = ranks === 0 ? '= same level' : ranks > 0 ? '↑ higher' : '↓ lower';
  return (
    <div>
      {way}
      <span class="sub">
        {proven >= 0 ? '+' : '−'}
        {Math.abs(proven)} points since {since}
      </span>
    </div>
  );
}

function Cell({ line, release }: { line: Line; release: string }) {
  const cell = line.releases.find((one) => one.release === release);
  if (!cell) return <span class="quiet">not assessed</span>;
  const newest = cell === line.releases[0];
  return (
    <div>
      <a href={assessmentPath(line.id, release)}>
        <Grade name={cell.grade} rank={cell.rank} levels={line.levels} />
      </a>
      <Points of={cell} />
      {cell.reading_sensitive && (
        <Mark title="the four ways to read the document disagree about this grade">
          <Explained by="reading">reading-sensitive</Explained>
        </Mark>
      )}
      {cell.status === 'draft' && <Mark title="not submitted yet">draft</Mark>}
      {newest && cell.expired > 0 && <Mark title="evidence that is older than it may be">{plural(cell.expired, 'item')} with old evidence</Mark>}
      {cell.errors > 0 && <Mark title="the file has errors; its page lists them">{plural(cell.errors, 'error')}</Mark>}
    </div>
  );
}

export function Faulty({ files }: { files: Schemas['QualityFile'][] }) {
  if (files.length === 0) return null;
  return (
    <Section title="Files that cannot be used" aside={plural(files.length, 'file')}>
      {files.map(({ path, findings }) => (
        <div key={path}>
          <h3>
            <bdi>{path || 'the folder'}</bdi>
          </h3>
          <Findings findings={findings} label={`What is wrong with ${path}`} />
        </div>
      ))}
    </Section>
  );
}
