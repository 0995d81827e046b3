// The card on a downstream's page: where it stands on the ladder. It is of the newest evaluation, whatever window the page shows.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { plural } from '../figures';
import { adviceOf, met, states, target, wordOf, written } from '../level_words';
import { levelPath } from '../route';
import { Explained, Level, Mark, State, When } from '../widgets/bits';
import { Section, Shown } from '../widgets/frame';

type Detail = Schemas['LevelDetail'];

export function Readiness({ repo, upstream }: { repo: string; upstream: string }) {
  const [owner = '', name = ''] = repo.split('/');
  const answer = useAnswer(address('/api/v1/downstreams/{owner}/{repo}/level', { owner, repo: name }, { upstream }), {
    topics: ['downstream'],
    downstream: repo,
  });
  const more = <a href={`${levelPath(repo)}${upstream ? `?upstream=${encodeURIComponent(upstream)}` : ''}`}>every criterion</a>;
  return (
    <Section class="readiness" title={<Explained by="levels">Level</Explained>} aside={more}>
      <Shown answer={answer}>{(detail) => <Card detail={detail} />}</Shown>
    </Section>
  );
}

// What is wrong; when nothing is, what the return asks for, or the next level.
function openCriteria({ standing, demotion, next }: Detail): Schemas['LevelCriterion'][] {
  const violated = demotion.filter(({ kind, met: how }) => kind !== 'restore' && how === 'missed');
  if (violated.length > 0) return violated;
  if (standing.state === 'temporary') return demotion.filter(({ kind, met: how }) => kind === 'restore' && how !== 'met');
  return next.filter(({ met: how }) => how !== 'met');
}

function Card({ detail }: { detail: Detail }) {
  const { standing, evaluation } = detail;
  const open = openCriteria(detail);
  return (
    <>
      <p class="line">
        <Level level={standing.level} effective={standing.effective_level} />
        {standing.as_of === null ? <span class="quiet">not evaluated yet</span> : <State word={wordOf(states, standing.state)} />}
        {standing.next_level !== null && standing.asked > 0 && (
          <span>
            {standing.met} of {plural(standing.asked, 'criterion', 'criteria')} of {standing.next_level} met
          </span>
        )}
        {standing.ready_for && <Mark title="every criterion is met">ready for {standing.ready_for}</Mark>}
        {standing.proposal && (
          <Mark title={standing.proposal.reason}>
            {standing.proposal.from} → {standing.proposal.to} proposed
          </Mark>
        )}
        <span class="quiet">
          as of <When at={standing.as_of} none="never" />, next <When at={evaluation.next_at} none="now" coming />, by its own windows
        </span>
      </p>
      {(standing.reason || standing.forecast) && (
        <p>
          <bdi>{standing.reason || standing.forecast}</bdi>
        </p>
      )}
      {open.length > 0 && (
        <ul class="open-criteria">
          {open.slice(0, 5).map((criterion) => (
            <li key={`${criterion.kind} ${criterion.id}`}>
              <State word={wordOf(met, criterion.met)} />
              <span>
                <bdi>{criterion.text || criterion.id}</bdi>: {written(criterion.measured, criterion.unit)}, asked for {target(criterion)}
                {criterion.bound !== 'none' && ` by its ${criterion.bound} bound`}
                {criterion.advice && (
                  <span class="sub">
                    <bdi>{adviceOf(criterion)}</bdi>
                  </span>
                )}
              </span>
            </li>
          ))}
          {open.length > 5 && <li class="quiet">and {open.length - 5} more</li>}
        </ul>
      )}
    </>
  );
}
