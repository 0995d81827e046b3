// Whose failure a cell is and how it stands against trunk, with the evidence. It decides nothing.
import type { Schemas } from '../api';
import { againstBase, blamed, whoseWord } from '../failure_words';
import { plural } from '../figures';
import { clusterPath, ownPage, testPath } from '../route';
import { unknown } from '../words';
import { Explained, Glyph, Name, Sha, When } from '../widgets/bits';

type Cell = Schemas['Cell'];

// The same for the whole commit, in one line.
export function WhoseInShort({ backends }: { backends: Schemas['BackendOnPull'][] }) {
  const all = blamed(backends);
  if (all.length === 0) return null;
  return (
    <p class="line whose-short">
      <Explained by="attribution">Whose failure?</Explained>
      {all.map((one) => (
        <span key={one.verdict} class="state">
          <Glyph word={whoseWord(one.verdict)} />
          <span>
            <strong class={`tone-text-${whoseWord(one.verdict).tone}`}>{whoseWord(one.verdict).word}</strong>{' '}
            <span class="quiet">
              {one.jobs === 1 ? <bdi>{one.job}</bdi> : plural(one.jobs, 'job')} at{' '}
              {one.downstreams.length === 1 ? <Name>{one.downstreams[0] ?? ''}</Name> : plural(one.downstreams.length, 'downstream')}
              {one.verdict !== 'unknown' && `, ${one.confidence} confidence`}
            </span>
          </span>
        </span>
      ))}
    </p>
  );
}

export function Whose({ cells }: { cells: Cell[] }) {
  const told = cells.filter(({ attribution, against_base: base }) => attribution !== null || base !== null);
  if (told.length === 0) return null;
  return (
    <div class="whose">
      <h3>
        <Explained by="attribution">Whose failure?</Explained>
      </h3>
      <ul>
        {told.map((cell, at) => (
          <li key={at}>
            <One cell={cell} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function One({ cell }: { cell: Cell }) {
  const { attribution, against_base: base } = cell;
  const line = (
    <>
      <Name>{cell.job || cell.workflow}</Name>
      {attribution && (
        <>
          {': '}
          <span class={`tone-text-${whoseWord(attribution.verdict).tone}`} title={whoseWord(attribution.verdict).meaning}>
            {whoseWord(attribution.verdict).word}
          </span>
          {attribution.verdict !== 'unknown' && <span class="quiet">, {attribution.confidence} confidence</span>}
        </>
      )}{' '}
      {base && <Base base={base} />}
    </>
  );
  if (!attribution) return <p class="whose-line">{line}</p>;
  return (
    <details>
      <summary>{line}</summary>
      {attribution.evidence.length === 0 ? (
        <p class="quiet">Nothing tells for or against anybody.</p>
      ) : (
        <ol class="evidence">
          {attribution.evidence.map((one, at) => (
            <li key={at}>
              <span class="weight" title="how much it counts, of 10">
                {one.weight}
                <span class="hide"> of 10 for </span>
              </span>
              <Glyph word={whoseWord(one.verdict)} />
              <span>
                <Linked to={one.link}>{one.text}</Linked> <span class="quiet">({one.rule.replace('_', ' ')})</span>
              </span>
            </li>
          ))}
        </ol>
      )}
      <p class="quiet small">
        What would change this: <bdi>{attribution.would_change}</bdi> It decides no gate.
        {base?.compared_to && (
          <>
            {' '}
            On trunk: <a href={`/job/${base.compared_to.job}`}>{base.compared_to.outcome.replace('_', ' ')}</a> by{' '}
            {base.compared_to.event_type} at <Sha sha={base.compared_to.sha} />, <When at={base.compared_to.at} />.
          </>
        )}
      </p>
    </details>
  );
}

function Linked({ to, children }: { to: string; children: string }) {
  const page = ownPage(to);
  return page ? (
    <a href={page}>
      <bdi>{children}</bdi>
    </a>
  ) : (
    <bdi>{children}</bdi>
  );
}

function Base({ base }: { base: NonNullable<Cell['against_base']> }) {
  const word = againstBase[base.state] ?? unknown;
  return (
    <span class={`badge tone-${word.tone}`} title={word.meaning}>
      {word.word}
      <span class="hide"> against trunk</span>
    </span>
  );
}

// Where else a failed test was seen.
export function Elsewhere({ test }: { test: Schemas['FailedTest'] }) {
  return (
    <>
      {test.also_in > 0 && <span class="badge tone-failure">also at {plural(test.also_in, 'other')} on this commit</span>}
      {test.seen_before > 0 && (
        <span class="badge tone-timed_out">
          on {test.seen_before >= 200 ? '200 other pull requests or more' : plural(test.seen_before, 'other pull request')} in 14 days
        </span>
      )}
      {test.cluster !== null && <a href={clusterPath(test.cluster)}>its cluster</a>}
      <a href={testPath(test.name)}>its history</a>
    </>
  );
}
