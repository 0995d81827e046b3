// Who is listed, as the relay reads it: what is in force, what is wrong with the file, and how it came to be so.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { plural } from '../figures';
import { query } from '../nav';
import { downstreamPath, text } from '../route';
import { levels, outcomeWord, type Word } from '../words';
import { Exact, Explained, Glyph, Level, Mark, Name, When } from '../widgets/bits';
import { Field, UpstreamSwitch } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { OperatorTabs } from '../widgets/operator_tabs';
import { Table } from '../widgets/table';

type View = Schemas['AllowlistView'];

export function Allowlist() {
  const upstream = text(query.value, 'upstream');
  const answer = useAnswer(address('/api/v1/allowlists', {}, { upstream }), { topics: ['relay', 'downstream'] });
  const overview = useAnswer(address('/api/v1/overview'), { topics: ['relay'] });
  const controls = (
    <>
      <UpstreamSwitch upstreams={overview.data?.upstreams ?? []} />
      <Field label="Entries with" name="find" placeholder="anything" />
    </>
  );
  return (
    <Page title="Allowlist" controls={controls} tabs={<OperatorTabs />}>
      <Shown answer={answer}>
        {(lists) => (
          <div aria-busy={answer.loading}>
            {lists.upstreams.length === 0 && (
              <Empty title="No upstream is configured">
                <code>upstreams</code> in the configuration names each with its allowlist.
              </Empty>
            )}
            {lists.upstreams.map((view) => (
              <One key={view.upstream} view={view} several={lists.upstreams.length > 1} />
            ))}
          </div>
        )}
      </Shown>
    </Page>
  );
}

function standing(view: View): { word: Word; says: string } {
  if (view.digest === null) return { word: outcomeWord('failure'), says: 'No allowlist was ever read, so that nobody hears of anything' };
  if (view.refused) return { word: outcomeWord('failure'), says: 'The newest version cannot be used; the one before it stays in force' };
  const errors = view.findings.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) return { word: outcomeWord('failure'), says: `In force, with ${plural(errors, 'error')}` };
  if (view.findings.length > 0) return { word: { ...outcomeWord('timed_out'), glyph: '▲' }, says: `In force, with ${plural(view.findings.length, 'warning')}` };
  return { word: outcomeWord('success'), says: 'In force, and nothing is wrong with it' };
}

function One({ view, several }: { view: View; several: boolean }) {
  const { word, says } = standing(view);
  return (
    <>
      {several && (
        <h2 class="upstream-head">
          <Name>{view.upstream}</Name>
        </h2>
      )}
      <p class="verdict">
        <Glyph word={word} />
        <span>
          {says}.
          <span class="sub">
            {!several && (
              <>
                For <Name>{view.upstream}</Name>,{' '}
              </>
            )}
            from <bdi class="mono wrap">{view.source}</bdi>
            {view.in_force_since && (
              <>
                , in force since <Exact at={view.in_force_since} /> (<When at={view.in_force_since} />)
              </>
            )}
            {view.digest && (
              <>
                , SHA-256 <code title={view.digest}>{view.digest.slice(0, 12)}</code>
              </>
            )}
          </span>
        </span>
      </p>
      {view.refused && (
        <p class="banner" role="status">
          <strong>
            Refused <When at={view.refused.at} />
            {view.refused.line !== null && `, line ${view.refused.line}${view.refused.column === null ? '' : `, column ${view.refused.column}`}`}.
          </strong>{' '}
          <bdi>{view.refused.detail}</bdi>
        </p>
      )}
      <Findings list={view.findings} />
      <Entries view={view} />
      <History list={view.history} />
    </>
  );
}

function Findings({ list }: { list: Schemas['AllowlistFinding'][] }) {
  if (list.length === 0) return null;
  const sorted = [...list].sort((a, b) => a.severity.localeCompare(b.severity) || a.line - b.line);
  return (
    <Section title="What is wrong with it" aside="as baton allowlist lint says it">
      <Table
        label="Findings"
        rows={sorted}
        keyOf={(finding) => `${finding.line}:${finding.column}:${finding.message}`}
        columns={[
          { head: 'Finding', class: 'main long', cell: (finding) => <bdi>{finding.message}</bdi> },
          {
            head: 'Severity',
            class: 'nowrap',
            cell: (finding) => <span class={finding.severity === 'error' ? 'tone-text-failure' : 'tone-text-timed_out'}>{finding.severity}</span>,
          },
          { head: 'Line', number: true, cell: (finding) => `${finding.line}:${finding.column}` },
        ]}
      />
    </Section>
  );
}

function Entries({ view }: { view: View }) {
  const wanted = text(query.value, 'find').toLowerCase();
  const rows = view.entries.filter((entry) => JSON.stringify(entry).toLowerCase().includes(wanted));
  return (
    <Section title="Entries" aside={<Explained by="levels">{plural(view.entries.length, 'entry', 'entries')}, in file order; private ones are left out</Explained>}>
      {rows.length === 0 ? (
        <Empty title={wanted ? 'No entry has this' : 'Nobody is listed'}>
          {wanted ? 'The filter looks at names, devices, people and settings.' : 'One line in the file adds the first downstream.'}
        </Empty>
      ) : (
        <Table
          label={`Entries of ${view.upstream}`}
          rows={rows}
          keyOf={(entry) => `${entry.repo} ${entry.line}`}
          columns={[
            {
              head: 'Downstream',
              class: 'main',
              cell: (entry) => (
                <a href={`${downstreamPath(entry.repo)}?upstream=${encodeURIComponent(view.upstream)}`}>
                  <Name>{entry.repo}</Name>
                </a>
              ),
            },
            {
              head: 'Level',
              class: 'nowrap',
              cell: (entry) => (
                <>
                  <Level level={entry.level} effective={entry.effective_level} />{' '}
                  <span class="quiet">{levels[entry.effective_level ?? entry.level]}</span>
                </>
              ),
            },
            {
              head: 'Device',
              dull: (entry) => !entry.device,
              cell: (entry) => (entry.device ? <Name>{entry.device}</Name> : <span class="quiet">–</span>),
            },
            {
              head: 'On call',
              dull: (entry) => entry.oncall.length === 0,
              cell: (entry) =>
                entry.oncall.length ? (
                  <span>
                    {entry.oncall.map((who) => (
                      <bdi key={who} class="who wrap">
                        {who}
                      </bdi>
                    ))}
                  </span>
                ) : (
                  <span class="quiet">–</span>
                ),
            },
            {
              head: 'Settings',
              class: 'settings',
              dull: (entry) => entry.settings.length === 0,
              cell: (entry) =>
                entry.settings.length ? (
                  entry.settings.map(({ key, value }) => (
                    <code key={key}>
                      <bdi>{key}</bdi>: <bdi>{value}</bdi>
                    </code>
                  ))
                ) : (
                  <span class="quiet">defaults</span>
                ),
            },
            { head: 'Line', number: true, cell: (entry) => entry.line },
          ]}
        />
      )}
    </Section>
  );
}

const changeWords: Record<Schemas['AllowlistChange']['kind'], string> = {
  added: 'added',
  removed: 'removed',
  moved: 'moved',
  changed: 'changed',
};

function History({ list }: { list: Schemas['AllowlistVersion'][] }) {
  return (
    <Section title="How it changed" aside="the newest 20 versions, newest first">
      {list.length === 0 ? (
        <p class="quiet">No version is on record yet. Each one that the relay reads is kept with what it changed.</p>
      ) : (
        <ol class="versions">
          {list.map((version, at) => (
            <li key={version.at + version.digest} data-row>
              <p class="version-head">
                <Exact at={version.at} />{' '}
                <span class="quiet">
                  <When at={version.at} />
                </span>{' '}
                <code class="quiet" title={version.digest}>
                  {version.digest.slice(0, 12)}
                </code>{' '}
                {at === 0 && <Mark>newest</Mark>}
              </p>
              {version.changes.length === 0 ? (
                <p class="quiet">
                  {at === list.length - 1 ? 'The oldest that is kept.' : 'No entry that is shown here changed.'}
                </p>
              ) : (
                <ul>
                  {version.changes.map((change) => (
                    <li key={change.repo + change.kind}>
                      <Change change={change} />
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function Change({ change }: { change: Schemas['AllowlistChange'] }) {
  return (
    <>
      <strong>{changeWords[change.kind]}</strong>{' '}
      <a href={downstreamPath(change.repo)}>
        <Name>{change.repo}</Name>
      </a>{' '}
      {change.before && <Level level={change.before} />}
      {change.before && change.after && change.before !== change.after && ' → '}
      {change.after && change.before !== change.after && <Level level={change.after} />}
      {change.meaning.length > 0 && (
        <span class="sub">
          <bdi>{change.meaning.join('; ')}</bdi>
        </span>
      )}
    </>
  );
}
