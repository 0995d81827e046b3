// One downstream on one commit: a line, and below it its cells with every attempt and the tests that failed.
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../api';
import { count, plural } from '../figures';
import { adjust, query } from '../nav';
import { downstreamPath, hostOf, jobPath, list } from '../route';
import { duration } from '../time';
import { dispatchWord, jobWord, outcomeWord, sentence, silentDispatch, worseFirst } from '../words';
import { Glyph, Lowered, Mark, Name, Out, State, When } from '../widgets/bits';
import { Table } from '../widgets/table';
import { Elsewhere, Whose } from './attribution';

type Backend = Schemas['BackendOnPull'];
type Job = Schemas['Job'];

const red = ['failure', 'timed_out'];
const calm = ['success', 'running', 'waiting', 'neutral', 'cancelled', 'skipped', 'superseded'];

// What is wrong stands open; what is well is a line. Either can be turned around, and the address says so.
export function BackendOnPull({ backend, blocks, again }: { backend: Backend; blocks: boolean; again?: ComponentChildren }) {
  const opened = list(query.value, 'open');
  const shut = list(query.value, 'shut');
  const standard = !calm.includes(backend.outcome);
  const isOpen =
    backend.cells.length + backend.failed_tests.length > 0 && (standard ? !shut.includes(backend.repo) : opened.includes(backend.repo));
  const word = outcomeWord(backend.outcome);
  const turn = () => {
    const [key, now] = standard ? ['shut', shut] : ['open', opened];
    adjust({
      [key as string]: ((now as string[]).includes(backend.repo)
        ? (now as string[]).filter((name) => name !== backend.repo)
        : [...(now as string[]), backend.repo]
      ).join(','),
    });
  };
  const expandable = backend.cells.length + backend.failed_tests.length > 0;
  return (
    <article class="backend" id={backend.repo} data-row>
      <div class="backend-head">
        <button
          type="button"
          class="turn"
          onClick={turn}
          aria-expanded={isOpen}
          disabled={!expandable}
          aria-label={`${backend.repo}: ${word.word}, ${isOpen ? 'hide' : 'show'} its jobs`}
        >
          <Glyph word={word} />
        </button>
        <div class="backend-name">
          <a href={downstreamPath(backend.repo)}>
            <Name>{backend.repo}</Name>
          </a>
          {backend.blocking_unknown ? (
            <Mark title="its result can hold up the merge, and nobody knows what it would say">blocking: unknown</Mark>
          ) : (
            backend.blocking && blocks && red.includes(backend.outcome) && <Mark title="it holds up the merge now">blocks</Mark>
          )}
          <Lowered of={backend} />
          <span class="sub">{backend.device}</span>
        </div>
        <div class="backend-says">
          <span class={`tone-text-${word.tone}`}>{word.word}</span> <span class="sub">{backend.reason || word.meaning}</span>
          {backend.blocking_unknown && backend.gate_rule && (
            <span class="sub gate-rule">
              The gate’s rule: <bdi>{backend.gate_rule}</bdi>
            </span>
          )}
        </div>
        <div class="backend-sum quiet">
          <Summary backend={backend} />
        </div>
        {again && <div class="backend-again">{again}</div>}
      </div>
      {isOpen && <Inside backend={backend} />}
    </article>
  );
}

// What is not well comes first, with whose failure it is; what passed is folded where it would be long.
function Inside({ backend }: { backend: Backend }) {
  const passed = backend.cells.filter(({ outcome }) => outcome === 'success');
  const others = backend.cells.filter(({ outcome }) => outcome !== 'success').sort((a, b) => worseFirst(a.outcome, b.outcome));
  const long = backend.cells.length > 8 || matchMedia('(max-width: 640px)').matches;
  const explained = backend.failed_tests.length > 0 || others.some(({ attribution, against_base }) => attribution ?? against_base);
  if (others.length === 0 || passed.length === 0 || (!long && !explained))
    return (
      <>
        {backend.cells.length > 0 && <Cells backend={backend} cells={[...others, ...passed]} label={`Jobs of ${backend.repo}`} />}
        <Whose cells={backend.cells} />
        {backend.failed_tests.length > 0 && <FailedTests tests={backend.failed_tests} />}
      </>
    );
  return (
    <>
      <Cells backend={backend} cells={others} label={`Jobs of ${backend.repo} that did not pass`} />
      <Whose cells={others} />
      {backend.failed_tests.length > 0 && <FailedTests tests={backend.failed_tests} />}
      <details class="passed" open={!long}>
        <summary>{count(passed.length)} passed</summary>
        <Cells backend={backend} cells={passed} label={`Jobs of ${backend.repo} that passed`} />
      </details>
    </>
  );
}

function Summary({ backend }: { backend: Backend }) {
  const sent = backend.dispatched_at !== null && backend.state !== 'pending' && (
    <>
      sent <When at={backend.dispatched_at} />
    </>
  );
  if (backend.cells.length === 0) return <>{sent || (backend.outcome === 'silent' ? silentDispatch.word : dispatchWord(backend.state).word)}</>;
  return (
    <>
      {sentence(backend.cells.map(({ outcome }) => outcome))}
      {sent && <span class="sub">{sent}</span>}
    </>
  );
}

function Cells({ backend, cells, label }: { backend: Backend; cells: Backend['cells']; label: string }) {
  return (
    <Table
      label={label}
      class="cells"
      rows={cells}
      keyOf={(cell) => `${cell.workflow}\n${cell.job}`}
      columns={[
        {
          head: 'Job',
          class: 'main',
          cell: (cell) => (
            <>
              <a href={jobPath(backend.repo, cell.workflow, cell.job)}>
                <Name>{cell.job}</Name>
              </a>
              <span class="sub">
                <bdi>{cell.workflow}</bdi>
              </span>
            </>
          ),
        },
        { head: 'Outcome', class: 'nowrap', cell: (cell) => <State word={outcomeWord(cell.outcome)} /> },
        {
          head: 'Attempts',
          help: 'cell',
          cell: (cell) => (
            <span class="attempts">
              {cell.attempts.map((job) => (
                <Attempt key={job.id} job={job} />
              ))}
            </span>
          ),
        },
        {
          head: 'Tests',
          dull: (cell) => !cell.attempts.at(-1)?.tests,
          cell: (cell) => <Tests tests={cell.attempts.at(-1)?.tests ?? null} />,
        },
        { head: 'Queue', number: true, help: 'queue', class: 'queue', cell: (cell) => duration(cell.attempts.at(-1)?.queue_ms ?? null) },
        {
          head: 'Run',
          number: true,
          help: 'queue',
          dull: (cell) => !cell.attempts.at(-1)?.run_ms,
          cell: (cell) => duration(cell.attempts.at(-1)?.run_ms ?? null),
        },
        {
          head: 'Log',
          class: 'log',
          cell: (cell) => {
            const url = cell.attempts.at(-1)?.url ?? '';
            return hostOf(url) ? <Out to={url}>{hostOf(url)}</Out> : <span class="quiet">–</span>;
          },
        },
      ]}
    />
  );
}

function Attempt({ job }: { job: Job }) {
  const word = jobWord(job);
  const by = job.said_by === 'relay' ? ', nobody reported the end in time' : '';
  const claim = job.counts ? '' : ', does not count: another run has the claim';
  return (
    <a
      href={`/job/${job.id}`}
      class={`attempt ${job.counts ? '' : 'uncounted'}`}
      title={`attempt ${job.attempt}: ${word.word}${by}${claim}`}
    >
      <span class="hide">attempt </span>
      <span class="quiet">{job.attempt}</span>
      <Glyph word={word} />
      <span class="hide">
        {word.word}
        {by}
        {claim}
      </span>
    </a>
  );
}

export function Tests({ tests }: { tests: Schemas['Tests'] | null }) {
  if (!tests) return <span class="quiet">–</span>;
  return (
    <span class="nowrap" title={`${count(tests.total)} tests, ${count(tests.skipped)} skipped`}>
      {tests.failed > 0 && (
        <>
          <span class="tone-text-failure">{count(tests.failed)} failed</span>,{' '}
        </>
      )}
      {count(tests.passed)} passed
    </span>
  );
}

// `bare`: under a heading of its own that says how many they are.
export function FailedTests({ tests, bare = false }: { tests: Schemas['FailedTest'][]; bare?: boolean }) {
  return (
    <div class="failed">
      {!bare && <h3>{plural(tests.length, 'failed test')}</h3>}
      <ul>
        {tests.map((test, at) => (
          <li key={`${test.job} ${test.name} ${at}`}>
            <details open={tests.length <= 2}>
              <summary>
                <bdi class="mono">{test.name}</bdi>
              </summary>
              {test.message && <pre>{test.message}</pre>}
              <p class="small elsewhere">
                <Elsewhere test={test} />
                <a href={`/job/${test.job}`}>the job</a>
              </p>
            </details>
          </li>
        ))}
      </ul>
    </div>
  );
}
