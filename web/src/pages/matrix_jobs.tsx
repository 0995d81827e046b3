// The jobs of one pull request, inside its row of the matrix: a line for each downstream, the worst job first.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { downstreamPath } from '../route';
import { dispatchWord, outcomeWord, worseFirst } from '../words';
import { Glyph, Name } from '../widgets/bits';
import { Shown } from '../widgets/frame';

export function MatrixJobs({ upstream, number }: { upstream: string; number: number }) {
  const [owner, repo] = upstream.split('/');
  const answer = useAnswer(address('/api/v1/pulls/{owner}/{repo}/{number}', { owner, repo, number }), {
    topics: ['pull'],
    upstream,
    number,
  });
  return (
    <div class="dense-jobs">
      <Shown answer={answer}>
        {(pull) => (
          <ul aria-busy={answer.loading}>
            {pull.backends.map((backend) => (
              <li key={backend.repo}>
                <Glyph word={outcomeWord(backend.outcome)} />
                <a href={downstreamPath(backend.repo)}>
                  <Name>{backend.repo}</Name>
                </a>
                <Jobs backend={backend} />
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </div>
  );
}

function Jobs({ backend }: { backend: Schemas['BackendOnPull'] }) {
  if (backend.cells.length === 0)
    return (
      <span class="quiet">
        <bdi>{backend.reason || dispatchWord(backend.state).word}</bdi>
      </span>
    );
  const cells = [...backend.cells].sort((a, b) => worseFirst(a.outcome, b.outcome));
  return (
    <span class="dense-list">
      {cells.map((cell) => {
        const word = outcomeWord(cell.outcome);
        const id = cell.attempts.at(-1)?.id;
        return (
          <a
            key={`${cell.workflow}\n${cell.job}`}
            href={id === undefined ? undefined : `/job/${id}`}
            title={`${cell.workflow}: ${word.word}`}
          >
            <span class={`mono tone-${word.tone}`} aria-hidden="true">
              {word.glyph}
            </span>{' '}
            <bdi class={cell.outcome === 'success' ? 'quiet' : `tone-text-${word.tone}`}>{cell.job || cell.workflow}</bdi>
            <span class="hide"> {word.word}</span>
          </a>
        );
      })}
    </span>
  );
}
