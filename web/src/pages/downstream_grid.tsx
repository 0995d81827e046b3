// Commits by jobs of one downstream, with its own controls.
import type { ComponentChildren } from 'preact';
import { useAnswer } from '../answer';
import { address } from '../api';
import { query } from '../nav';
import { choice, text } from '../route';
import { Explained } from '../widgets/bits';
import { Field, Pager, Switch } from '../widgets/controls';
import { Empty, Section, Shown } from '../widgets/frame';
import { Grid, isNarrow } from '../widgets/grid';
import { Exports } from '../widgets/twins';
import { narrowed } from '../grid_rows';

const events = ['pull_request', 'push', 'nightly', 'periodic'] as const;

// What else there is about a downstream stands beside the grid while that leaves room, and below it otherwise; a narrow grid has the whole width.
export function GridSection({ owner, repo, children }: { owner: string; repo: string; children: ComponentChildren }) {
  const now = query.value;
  const asked = { upstream: text(now, 'upstream'), event: choice(now, 'event', events), cursor: text(now, 'cursor') };
  const name = `${owner}/${repo}`;
  const answer = useAnswer(address('/api/v1/downstreams/{owner}/{repo}/grid', { owner, repo }, asked), {
    topics: ['downstream', 'pull'],
    downstream: name,
  });
  const job = text(now, 'job');
  const onlyBad = choice(now, 'rows', ['all', 'not-green']) === 'not-green';
  const shown = answer.data && narrowed(answer.data, job, onlyBad);
  const aside = (
    <>
      <Field label="Job" name="job" placeholder="all" />
      <Switch
        label="Rows of the grid"
        name="rows"
        fallback="all"
        options={[
          { value: 'all', words: 'all' },
          { value: 'not-green', words: 'not green' },
        ]}
      />
      <Switch
        label="What started it"
        name="event"
        fallback="pull_request"
        clears={{ cursor: null }}
        options={events.map((value) => ({ value, words: value.replace('_', ' ') }))}
      />
      <Exports
        path={`/api/v1/downstreams/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/grid`}
        query={{ upstream: asked.upstream, event: asked.event }}
      />
    </>
  );
  return (
    <Section title={<Explained by="cell">Commits and jobs</Explained>} aside={aside} class="grid-section">
      <div class={`beside ${shown && isNarrow(shown.columns.length) ? 'stacked' : ''}`}>
        <div class="grid-host">
          <Shown answer={answer}>
            {(grid) => (
              <>
                {!shown || shown.rows.length === 0 || shown.columns.length === 0 ? (
                  <Empty
                    title={job || onlyBad ? 'Nothing fits these filters' : `Nothing ran for ${asked.event.replace('_', ' ')} events yet`}
                  />
                ) : (
                  <Grid grid={shown} />
                )}
                <Pager next={grid.next} />
              </>
            )}
          </Shown>
        </div>
        <div class="beside-rest">{children}</div>
      </div>
    </Section>
  );
}
