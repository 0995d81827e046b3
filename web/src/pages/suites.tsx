// Suites by devices: what each accelerator could run on one nightly, or on one commit.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { count } from '../figures';
import { query } from '../nav';
import { choice, downstreamPath, text } from '../route';
import { outcomeWord, sentence } from '../words';
import { Explained, Level, Name, Sha, When } from '../widgets/bits';
import { useKnown } from '../widgets/across';
import { Field, Switch, UpstreamSwitch } from '../widgets/controls';
import { Empty, Page, Shown } from '../widgets/frame';
import { useSpots } from '../widgets/spots';
import { Tabs } from '../widgets/tabs';

type Suites = Schemas['Suites'];
type SuiteCell = Schemas['SuiteCell'];

const events = ['nightly', 'periodic', 'push', 'pull_request'] as const;

export function Suites() {
  const now = query.value;
  const asked = { upstream: text(now, 'upstream'), event: choice(now, 'event', events), sha: text(now, 'sha') };
  const answer = useAnswer(address('/api/v1/suites', {}, asked), { topics: ['downstream', 'pull'] });
  const known = useKnown();
  const controls = (
    <>
      <UpstreamSwitch upstreams={known.upstreams} />
      <Field label="Commit" name="sha" placeholder="newest of each" />
      <Switch
        label="What started it"
        name="event"
        fallback="nightly"
        options={events.map((value) => ({ value, words: value.replace('_', ' ') }))}
      />
    </>
  );
  return (
    <Page title="Suites" controls={controls} tabs={<Tabs of="time" label="Over time" />}>
      <Shown answer={answer}>
        {(suites) => (
          <div aria-busy={answer.loading}>
            {suites.rows.length === 0 ? (
              <Empty title={suites.sha ? 'Nothing ran on this commit' : `No ${suites.event_type.replace('_', ' ')} run has been reported`}>
                Each workflow that a downstream reports becomes a row, each device a column. Another event may have some.
              </Empty>
            ) : (
              <Whole suites={suites} />
            )}
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Whole({ suites }: { suites: Suites }) {
  const { host, spot, keys } = useSpots<HTMLTableElement>();
  const all = suites.rows.flatMap(({ cells }) => cells);
  const absent = all.filter(({ outcome }) => outcome === null).length;
  return (
    <>
      <p class="answer">
        <strong>
          {sentence(all.map(({ outcome }) => outcome))}
          {absent > 0 && `, ${count(absent)} did not run`}
        </strong>{' '}
        <span class="quiet">
          of {all.length} suites on devices
          {suites.sha ? (
            <>
              , on commit <Sha sha={suites.sha} />
            </>
          ) : (
            `, at each device's newest ${suites.event_type.replace('_', ' ')} run`
          )}{' '}
          for <Name>{suites.upstream}</Name>. <Explained by="suite">What a suite is</Explained>
        </span>
      </p>
      <div class="scroll sides" tabIndex={0} role="region" aria-label="Suites by devices">
        <table class="suites" role="grid" aria-label="Suites by devices" ref={host} {...keys}>
          <thead>
            <tr>
              <th scope="col" class="suites-name">
                Suite
              </th>
              {suites.columns.map((column, at) => (
                <th key={at} scope="col">
                  <a href={`${downstreamPath(column.repo)}?event=${encodeURIComponent(suites.event_type)}`} {...spot(0, at)}>
                    <Name>{column.device || column.repo}</Name>
                  </a>{' '}
                  <Level level={column.level} effective={column.effective_level} />
                  <span class="sub">
                    <bdi>{column.repo}</bdi>
                  </span>
                  <span class="sub">
                    {column.sha ? (
                      <>
                        <Sha sha={column.sha} /> <When at={column.at} />
                      </>
                    ) : (
                      'no such run'
                    )}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {suites.rows.map((row, at) => (
              <tr key={at} data-row>
                <th scope="row" class="suites-name">
                  <Name>{row.suite}</Name>
                </th>
                {row.cells.map((cell, column) => (
                  <Cell key={column} cell={cell} suite={row.suite} spot={spot(at + 1, column)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Cell({ cell, suite, spot }: { cell: SuiteCell; suite: string; spot: { 'data-spot': string; tabIndex: number } }) {
  const word = outcomeWord(cell.outcome);
  if (cell.outcome === null)
    return (
      <td class="quiet" title={`${suite} did not run on ${cell.device}`}>
        ·<span class="hide"> did not run</span>
      </td>
    );
  return (
    <td>
      <a
        class={`glyph tone-${word.tone}`}
        href={cell.job === null ? undefined : `/job/${cell.job}`}
        aria-label={`${suite} on ${cell.device}: ${word.word}`}
        {...spot}
      >
        {word.glyph}
      </a>
      <span class="sub">
        {cell.tests ? (
          <>
            {cell.tests.failed > 0 && <span class="tone-text-failure">{count(cell.tests.failed)} failed of </span>}
            {count(cell.tests.total)} tests
          </>
        ) : cell.failed_jobs > 0 ? (
          <span class="tone-text-failure">
            {count(cell.failed_jobs)} of {count(cell.jobs)} jobs failed
          </span>
        ) : (
          `${count(cell.jobs)} jobs`
        )}
      </span>
    </td>
  );
}
