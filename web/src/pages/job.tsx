// One execution: what it said, when, and which tests failed.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { capital, plural } from '../figures';
import { downstreamPath, hostOf, jobPath, pullPath } from '../route';
import { duration } from '../time';
import { jobWord } from '../words';
import { Exact, Glyph, Mark, Name, Out, Sha, When } from '../widgets/bits';
import { Page, Section, Shown } from '../widgets/frame';
import { FailedTests, Tests } from './pull_backend';

export function Job({ id }: { id: number }) {
  const answer = useAnswer(address('/api/v1/jobs/{id}', { id }), { topics: ['pull', 'downstream'] });
  return (
    <Page
      title={answer.data ? `${answer.data.job.job} of ${answer.data.downstream}` : `Job ${id}`}
      head={
        answer.data && (
          <>
            <Name>{answer.data.job.job}</Name>{' '}
            <span class="quiet">
              <bdi>{answer.data.job.workflow}</bdi>
            </span>
          </>
        )
      }
    >
      <Shown answer={answer}>{(detail) => <Detail detail={detail} />}</Shown>
    </Page>
  );
}

function Detail({ detail }: { detail: Schemas['JobDetail'] }) {
  const { job } = detail;
  const word = jobWord(job);
  const environment = Object.entries(detail.environment);
  return (
    <>
      <p class={`verdict tone-text-${word.tone}`}>
        <Glyph word={word} />
        <span>
          <strong>{capital(word.word)}.</strong>{' '}
          <span class="verdict-text">
            Attempt {job.attempt}
            {job.run_ms !== null && `, ran ${duration(job.run_ms)}`}
            {job.said_by === 'relay' && '; nobody reported its end in time, so the relay ended it'}
          </span>
        </span>
      </p>
      <p class="line">
        <a href={downstreamPath(detail.downstream)}>
          <Name>{detail.downstream}</Name>
        </a>
        {detail.number !== null ? (
          <a href={`${pullPath(detail.upstream, detail.number)}?sha=${encodeURIComponent(detail.sha)}`}>
            <Name>{detail.upstream}</Name> #{detail.number}
          </a>
        ) : (
          <span>
            <Name>{detail.upstream}</Name> {detail.event_type}
          </span>
        )}
        <span>
          commit <Sha sha={detail.sha} />
        </span>
        {!job.counts && <Mark title="another run has the claim">does not count</Mark>}
        {job.skewed && <Mark title="their clock is more than a minute from ours">clock skewed</Mark>}
        <a href={jobPath(detail.downstream, job.workflow, job.job)}>its history</a>
        {hostOf(job.url) && <Out to={job.url}>its run at {hostOf(job.url)}</Out>}
      </p>
      {detail.failed_tests.length > 0 && (
        <Section title={plural(detail.failed_tests.length, 'failed test')}>
          <FailedTests tests={detail.failed_tests} bare />
        </Section>
      )}
      <Section title="Facts">
        <dl class="pairs">
          <Pair name="Tests">
            <Tests tests={job.tests ?? null} />
          </Pair>
          <Pair name="Sent">
            {job.dispatched_at ? (
              <>
                <Exact at={job.dispatched_at} />{' '}
                <span class="quiet">
                  <When at={job.dispatched_at} />
                </span>
              </>
            ) : (
              '–'
            )}
          </Pair>
          <Pair name="Started">{job.started_at ? <Exact at={job.started_at} /> : '–'}</Pair>
          <Pair name="Ended">{job.completed_at ? <Exact at={job.completed_at} /> : '–'}</Pair>
          <Pair name="Queued">{job.attempt > 1 && job.queue_ms === null ? 'a re-run has no queue' : duration(job.queue_ms)}</Pair>
          <Pair name="Ran">{duration(job.run_ms)}</Pair>
          <Pair name="Run">
            <code>
              <bdi>{job.run_id}</bdi>
            </code>
          </Pair>
          <Pair name="Event">{detail.event_type.replaceAll('_', ' ')}</Pair>
        </dl>
      </Section>
      {environment.length > 0 && (
        <Section title="Environment" aside="as the downstream told it">
          <dl class="pairs">
            {environment.map(([name, value]) => (
              <Pair key={name} name={name}>
                <code>
                  <bdi>{value}</bdi>
                </code>
              </Pair>
            ))}
          </dl>
        </Section>
      )}
    </>
  );
}

function Pair({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
