// One downstream, for those who own it: how it stands, over time, and where it hurts.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { count, percent, rateSentence, rateTone } from '../figures';
import { query } from '../nav';
import { choice, jobPath, levelPath, platformPath, text } from '../route';
import { gates, levels, outcomeWord } from '../words';
import { Explained, Glyph, Level, Mark, Name, When } from '../widgets/bits';
import { chosenWindow, Switch, WindowSwitch } from '../widgets/controls';
import { DayChart } from '../widgets/day_chart_later';
import { Page, Section, Shown } from '../widgets/frame';
import { Notes } from '../widgets/notes_later';
import { RateCell, Whisker } from '../widgets/rate';
import { Table } from '../widgets/table';
import { Times } from '../widgets/times';
import { Exports, Feed } from '../widgets/twins';
import { AttentionAbout } from './attention';
import { GridSection } from './downstream_grid';
import { Holding } from './holding';
import { Onboarding } from './onboarding';
import { Readiness } from './readiness_later';

type Backend = Schemas['Backend'];

export function Downstream({ owner, repo }: { owner: string; repo: string }) {
  const name = `${owner}/${repo}`;
  const upstream = text(query.value, 'upstream');
  const answer = useAnswer(address('/api/v1/downstreams/{owner}/{repo}', { owner, repo }, { window: chosenWindow(), upstream }), {
    topics: ['downstream', 'pull'],
    downstream: name,
  });
  // Whoever is not done joining wants to know what is left; later the list is a record.
  const joining = answer.data?.onboarding.some(({ done }) => !done) ?? false;
  return (
    <Page title={name} head={<Name>{name}</Name>} controls={<WindowSwitch />}>
      <Shown answer={answer}>
        {(backend) => (
          <div aria-busy={answer.loading}>
            <Standing backend={backend} done={answer.retry} />
            <AttentionAbout subject={backend.downstream.repo} />
            <Notes about="downstream" subject={backend.downstream.repo} />
            <Cards backend={backend} />
            {backend.downstream.effective_level !== undefined && <Readiness repo={backend.downstream.repo} upstream={upstream} />}
            <Days backend={backend} />
            <GridSection owner={owner} repo={repo}>
              {joining && <Onboarding steps={backend.onboarding} />}
              <WorstJobs backend={backend} />
              <Spreads backend={backend} />
              {!joining && <Onboarding steps={backend.onboarding} />}
            </GridSection>
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Standing({ backend, done }: { backend: Backend; done: () => void }) {
  const { downstream } = backend;
  return (
    <>
      <p class="line">
        <span>
          <Level level={downstream.level} effective={downstream.effective_level} />{' '}
          {levels[downstream.effective_level ?? downstream.level]}
        </span>
        {downstream.device && <Name>{downstream.device}</Name>}
        <span>
          for <Name>{downstream.upstream}</Name>
        </span>
        <Explained by="gate">gate: {gates[downstream.gate]}</Explained>
        {backend.oncall.length > 0 && (
          <span>
            on call{' '}
            {backend.oncall.map((who) => (
              <bdi key={who} class="who">
                {who}
              </bdi>
            ))}
          </span>
        )}
        <span>
          last result <When at={downstream.last_result_at} none="never" />
        </span>
        <a href={`${levelPath(downstream.repo)}${text(query.value, 'upstream') && `?upstream=${encodeURIComponent(downstream.upstream)}`}`}>level</a>
        <a href={`/refused?downstream=${encodeURIComponent(downstream.repo)}`}>refused reports</a>
        <Feed path={`/feeds/${downstream.repo.split('/').map(encodeURIComponent).join('/')}.atom`} of="this downstream" />
        <Holding downstream={downstream} done={done} />
        {backend.platforms.map(({ id, name }) => (
          <span key={id}>
            <Explained by="platform-quality">quality</Explained> of{' '}
            <a href={platformPath(id)}>
              <Name>{name}</Name>
            </a>
          </span>
        ))}
        <Elsewhere repo={downstream.repo} />
      </p>
      {downstream.blocking_unknown && (
        <p class="banner" role="status">
          <strong>Blocking: unknown.</strong> Nobody started what it was sent last. <bdi>{downstream.gate_rule}</bdi>
        </p>
      )}
      {backend.gate_reason && (
        <p class="banner" role="status">
          <strong>Suspended from the gate.</strong> {backend.gate_reason}
        </p>
      )}
      {downstream.suspended && (
        <p class="banner" role="status">
          <strong>Held.</strong> It is sent nothing until somebody resumes it, and has no say in the gate: <bdi>{downstream.held}</bdi>
        </p>
      )}
      {downstream.trouble && (
        <p class="banner" role="status">
          <strong>
            {downstream.paused_until ? (
              <>
                Paused, next try <When at={downstream.paused_until} coming />
              </>
            ) : (
              'Could not be sent to'
            )}
            .
          </strong>{' '}
          {downstream.trouble}
        </p>
      )}
    </>
  );
}

// The same downstream on the pages that look across all of them.
function Elsewhere({ repo }: { repo: string }) {
  return (
    <span class="numbers">
      {Object.entries({ trends: 'trends', nightly: 'nightlies', clusters: 'clusters', flaky: 'flaky jobs', benchmarks: 'benchmarks' }).map(
        ([page, words]) => (
          <a key={page} href={`/${page}?downstream=${encodeURIComponent(repo)}`}>
            {words}
          </a>
        ),
      )}
    </span>
  );
}

function Cards({ backend }: { backend: Backend }) {
  const { rates, cells, silent, running, pending } = backend.downstream;
  return (
    <dl class="cards">
      <RateCard name="Pass rate" by="pass-rate" rate={rates.final} />
      <RateCard name="First attempt" by="first-attempt" rate={rates.first_attempt} />
      <RateCard name="Compat" by="compat" rate={rates.compat} />
      {rates.adjusted && <RateCard name="Adjusted" by="adjusted" rate={rates.adjusted} />}
      <div>
        <dt>
          <Explained by="conclusive">Cells</Explained>
        </dt>
        <dd class="card-counts">
          {(['success', 'flaky', 'failure', 'timed_out'] as const).map((outcome) => (
            <span key={outcome} class="counted" title={outcomeWord(outcome).word}>
              <Glyph word={outcomeWord(outcome)} />
              {count(cells[outcome])}
              <span class="hide"> {outcomeWord(outcome).word}</span>
            </span>
          ))}
          <span class="sub">{count(cells.no_signal)} without signal</span>
        </dd>
      </div>
      <div>
        <dt>
          <Explained by="silent">Silent</Explained>
        </dt>
        <dd>
          <span class={`card-value ${silent > 0 ? 'tone-text-timed_out' : ''}`}>{count(silent)}</span>
          <span class="sub">
            {count(running)} running, {count(pending)} to send
          </span>
        </dd>
      </div>
    </dl>
  );
}

function RateCard({ name, by, rate }: { name: string; by: string; rate: Schemas['Rate'] }) {
  return (
    <div>
      <dt>
        <Explained by={by}>{name}</Explained>
      </dt>
      <dd title={rateSentence(rate)}>
        <span class={`card-value tone-text-${rateTone(rate)}`}>{percent(rate.value)}</span>
        <Whisker rate={rate} />
        <span class="sub">
          {rate.low !== null && rate.high !== null ? `${percent(rate.low)} to ${percent(rate.high)}, n ${count(rate.n)}` : 'no sample yet'}{' '}
          {rate.few && rate.value !== null && <Mark title="fewer than 20 samples">low data</Mark>}
        </span>
      </dd>
    </div>
  );
}

function Days({ backend }: { backend: Backend }) {
  const asTable = choice(query.value, 'days', ['chart', 'table']) === 'table';
  const path = backend.downstream.repo.split('/').map(encodeURIComponent).join('/');
  const aside = (
    <>
      <Exports path={`/api/v1/downstreams/${path}/days`} query={{ window: backend.window.name, upstream: text(query.value, 'upstream') }} />
      <Switch
        label="Days as"
        name="days"
        fallback="chart"
        options={[
          { value: 'chart', words: 'chart' },
          { value: 'table', words: 'table' },
        ]}
      />
    </>
  );
  return (
    <Section title="Day by day" aside={aside}>
      {backend.days.length === 0 ? (
        <p class="quiet">Nothing ended in this window. A longer one may have more.</p>
      ) : asTable ? (
        <Table
          label="Days"
          rows={[...backend.days].reverse()}
          keyOf={(day) => day.day}
          columns={[
            { head: 'Day, UTC', class: 'main', cell: (day) => day.day },
            { head: 'Pass rate', help: 'pass-rate', cell: (day) => <RateCell rate={day.rate} /> },
            { head: 'Passed', number: true, cell: (day) => count(day.cells.success) },
            { head: 'Flaky', number: true, cell: (day) => count(day.cells.flaky) },
            { head: 'Failed', number: true, cell: (day) => count(day.cells.failure) },
            { head: 'Timed out', number: true, cell: (day) => count(day.cells.timed_out) },
            { head: 'No signal', number: true, cell: (day) => count(day.cells.no_signal) },
            { head: 'Silent', number: true, cell: (day) => count(day.silent) },
          ]}
        />
      ) : (
        <DayChart days={backend.days} from={backend.window.from} until={backend.window.until} />
      )}
    </Section>
  );
}

function WorstJobs({ backend }: { backend: Backend }) {
  return (
    <Section title="Jobs that fail most">
      {backend.worst_jobs.length === 0 ? (
        <p class="quiet">No job failed in this window.</p>
      ) : (
        <Table
          label="Worst jobs"
          rows={backend.worst_jobs}
          keyOf={(job) => `${job.workflow}\n${job.job}`}
          columns={[
            {
              head: 'Job',
              class: 'main',
              cell: (job) => (
                <>
                  <a href={jobPath(backend.downstream.repo, job.workflow, job.job)}>
                    <Name>{job.job}</Name>
                  </a>
                  <span class="sub">
                    <bdi>{job.workflow}</bdi>
                  </span>
                </>
              ),
            },
            { head: 'Pass rate', help: 'pass-rate', cell: (job) => <RateCell rate={job.rate} /> },
            { head: 'Failed', number: true, cell: (job) => count(job.cells.failure + job.cells.timed_out) },
            { head: 'Flaky', number: true, cell: (job) => count(job.cells.flaky) },
          ]}
        />
      )}
    </Section>
  );
}

function Spreads({ backend }: { backend: Backend }) {
  return (
    <Section title={<Explained by="queue">Times</Explained>}>
      <Times queue={backend.queue} run={backend.run} />
    </Section>
  );
}
