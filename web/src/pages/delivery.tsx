// One webhook and every hop that followed from it.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { bytes, plural } from '../figures';
import { downstreamPath, pullPath } from '../route';
import { duration } from '../time';
import { dispatchStanding, jobWord, sentence } from '../words';
import { Exact, Glyph, Level, Mark, Name, Sha, State, When } from '../widgets/bits';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { Notes } from '../widgets/notes_later';
import { Redeliver } from '../widgets/redeliver';
import { Timeline } from '../widgets/timeline';

type Dispatch = Schemas['Dispatch'];

export function Delivery({ id }: { id: string }) {
  const answer = useAnswer(address('/api/v1/deliveries/{id}', { id }), { topics: ['pull', 'downstream', 'relay'] });
  return (
    <Page
      title={`Delivery ${id.slice(0, 8)}`}
      head={
        <>
          Delivery <bdi class="mono quiet wrap">{id}</bdi>
        </>
      }
    >
      <Shown answer={answer}>
        {(data) => (
          <div aria-busy={answer.loading}>
            <Facts row={data.delivery} />
            <Notes about="delivery" subject={data.delivery.id} />
            <Section title="Sent because of it" aside={plural(data.dispatches.length, 'dispatch', 'dispatches')}>
              {data.dispatches.length === 0 ? (
                data.results_kept ? (
                  <Empty title="Nothing was sent">
                    {data.delivery.state === 'planned'
                      ? 'The rule that decided so stands below.'
                      : 'It is not planned yet; that takes a moment.'}
                  </Empty>
                ) : (
                  <Empty title="Past retention">Dispatches and results of that time are no longer kept. What was decided stands below.</Empty>
                )
              ) : (
                <div class="backends">
                  {data.dispatches.map((dispatch) => (
                    <OneDispatch key={dispatch.id} dispatch={dispatch} received={data.delivery.received_at} retry={answer.retry} />
                  ))}
                </div>
              )}
            </Section>
            <Section title="Ledger" aside={plural(data.ledger.length, 'line')}>
              {data.ledger.length === 0 ? (
                <p class="quiet">Nothing is written yet.</p>
              ) : (
                <Timeline
                  events={data.ledger.map((line) => ({ at: line.at, kind: line.kind, text: line.detail, delivery: '', downstream: '' }))}
                />
              )}
            </Section>
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Facts({ row }: { row: Schemas['DeliveryRow'] }) {
  return (
    <p class="line">
      <span>
        <bdi>{row.event}</bdi>{' '}
        <span class="quiet">
          <bdi>{row.action}</bdi>
        </span>
      </span>
      {row.number !== null ? (
        <a href={pullPath(row.repository, row.number)}>
          <Name>{row.repository}</Name> #{row.number}
        </a>
      ) : (
        <Name>{row.repository}</Name>
      )}
      {row.sha && (
        <span>
          commit <Sha sha={row.sha} />
        </span>
      )}
      <span>{bytes(row.body_bytes)}</span>
      <span>
        <Exact at={row.received_at} />{' '}
        <span class="quiet">
          <When at={row.received_at} />
        </span>
      </span>
      {row.state === 'to_plan' && <Mark>waiting to be planned</Mark>}
    </p>
  );
}

function OneDispatch({ dispatch, received, retry }: { dispatch: Dispatch; received: string; retry: () => void }) {
  const word = dispatchStanding(dispatch);
  const givenUp = dispatch.state === 'dead' || dispatch.state === 'failed';
  return (
    <article class="backend" data-row>
      <div class="backend-head">
        <span class="turn">
          <Glyph word={word} />
        </span>
        <div class="backend-name">
          <a href={downstreamPath(dispatch.downstream)}>
            <Name>{dispatch.downstream}</Name>
          </a>
          <span class="sub">{dispatch.generation > 1 && `sending ${dispatch.generation}`}</span>
        </div>
        <div class="backend-says">
          <span class={`tone-text-${word.tone}`}>{word.word}</span>{' '}
          {dispatch.jobs.length > 0 && <span>{sentence(dispatch.jobs.map((job) => job.conclusion ?? 'running'))}</span>}
          <span class="sub">{dispatch.reason || word.meaning}</span>
        </div>
        <div class="backend-sum quiet">
          {dispatch.sent_at ? (
            <>sent after {duration(Date.parse(dispatch.sent_at) - Date.parse(received))}</>
          ) : dispatch.state === 'pending' ? (
            <>
              due <When at={dispatch.due_at} coming />
            </>
          ) : (
            'not sent'
          )}
          {givenUp && (
            <span class="sub">
              <Redeliver delivery={dispatch.delivery} downstream={dispatch.downstream} done={retry} />
            </span>
          )}
        </div>
        <span class="backend-level">
          <Level level={dispatch.level} />
        </span>
      </div>
      {(dispatch.attempts.length > 1 || givenUp) && <Tries dispatch={dispatch} />}
      {dispatch.jobs.length > 0 && <Jobs dispatch={dispatch} />}
    </article>
  );
}

function Tries({ dispatch }: { dispatch: Dispatch }) {
  return (
    <ol class="hops">
      {dispatch.attempts.map((attempt) => (
        <li key={attempt.number}>
          <span class="quiet">try {attempt.number}</span> <When at={attempt.started_at} />{' '}
          <span>{attempt.outcome?.replaceAll('_', ' ') ?? 'under way'}</span>{' '}
          {attempt.status > 0 && <span class="mono">{attempt.status}</span>} <bdi class="quiet">{attempt.detail}</bdi>
        </li>
      ))}
    </ol>
  );
}

function Jobs({ dispatch }: { dispatch: Dispatch }) {
  return (
    <ul class="hops">
      {dispatch.jobs.map((job) => (
        <li key={job.id}>
          <State word={jobWord(job)} />{' '}
          <a href={`/job/${job.id}`}>
            <Name>{job.job}</Name>
          </a>{' '}
          <span class="quiet">
            <bdi>{job.workflow}</bdi>, attempt {job.attempt}
            {job.run_ms !== null && `, ${duration(job.run_ms)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
