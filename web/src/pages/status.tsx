// The relay itself: ready or not and why, what waits, what is left of GitHub's patience, how large it is.
import type { ComponentChildren } from 'preact';
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { bytes, capital, count, plural } from '../figures';
import { duration } from '../time';
import { doubtful } from '../standing';
import { outcomeWord, unknown } from '../words';
import { Exact, Explained, Glyph, Mark, Name, State, When } from '../widgets/bits';
import { Page, Section, Shown } from '../widgets/frame';
import { OperatorTabs } from '../widgets/operator_tabs';
import { Table } from '../widgets/table';
import { relaySaid } from './relay';

type Status = Schemas['Status'];

export function Status() {
  const answer = useAnswer(address('/api/v1/status'), { topics: ['relay', 'downstream', 'pull'] });
  return (
    <Page title="Status" tabs={<OperatorTabs />}>
      <Shown answer={answer}>
        {(status) => (
          <div aria-busy={answer.loading}>
            <Verdict status={status} />
            <div class="balanced">
              <Parts parts={status.parts} />
              <Queues status={status} />
              <Sinks sinks={status.sinks} />
              <Sizes status={status} />
              <Quotas quotas={status.github} />
            </div>
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Verdict({ status }: { status: Status }) {
  const word = doubtful.value ? { ...unknown, tone: 'failure' as const } : outcomeWord(status.ready ? 'success' : 'failure');
  return (
    <p class="verdict">
      <Glyph word={word} />
      <span>
        {doubtful.value ? `Nobody knows how the relay is now; ${relaySaid(status, 'was')} when it was last heard` : capital(relaySaid(status, 'is'))}.
        <span class="sub">
          {status.mode === 'shadow' && 'Shadow: it plans and sends nothing. '}Version {status.version}, up {duration(status.uptime_s * 1000)},
          since <Exact at={status.started_at} />. Last delivery <When at={status.last_delivery_at} none="never" />.{' '}
          {status.actions ? 'Actions are possible with an admin token.' : 'No admin token is configured, so nothing can be done from these pages.'}
        </span>
      </span>
    </p>
  );
}

function Parts({ parts }: { parts: Schemas['RelayPart'][] }) {
  const sorted = [...parts].sort((a, b) => Number(a.ready) - Number(b.ready));
  if (parts.length === 0) return null;
  return (
    <Section title={<Explained by="parts">Parts</Explained>} aside={`${plural(parts.filter(({ ready }) => ready).length, 'part')} of ${parts.length} ready`}>
      <Table
        label="Parts of the relay"
        rows={sorted}
        keyOf={(part) => part.name}
        columns={[
          { head: 'Part', class: 'main', cell: (part) => <Name>{part.name}</Name> },
          {
            head: 'Stands',
            class: 'nowrap',
            cell: (part) => <State word={outcomeWord(part.ready ? 'success' : 'failure')}>{part.ready ? 'ready' : 'not ready'}</State>,
          },
          {
            head: 'Cause',
            class: 'long',
            dull: (part) => !part.trouble,
            cell: (part) => (part.trouble ? <bdi>{part.trouble}</bdi> : <span class="quiet">–</span>),
          },
        ]}
      />
    </Section>
  );
}

function Queues({ status }: { status: Status }) {
  const { queues } = status;
  const rows: { name: string; says: string; n: number; oldest?: string | null; bad?: boolean }[] = [
    { name: 'To plan', says: 'deliveries accepted, waiting to be planned', n: queues.to_plan },
    { name: 'To send', says: `dispatches, ${count(queues.leased)} of them being sent right now`, n: queues.pending, oldest: queues.oldest_pending },
    { name: 'Checks to post', says: 'GitHub does not have them yet', n: queues.checks_waiting, oldest: queues.oldest_check },
    { name: 'Re-runs', says: 'orders to run something again', n: queues.reruns_waiting },
    { name: 'Commits to look at', says: 'their checks may have to change', n: queues.looks },
    { name: 'Letters', says: 'results on their way to sinks', n: queues.letters_waiting },
    {
      name: 'Outcome unknown',
      says: 'tries of which nobody knows whether they arrived',
      n: queues.unknown_outcomes,
      bad: queues.unknown_outcomes > 0,
    },
  ];
  return (
    <Section title={<Explained by="queues">What waits</Explained>} aside="now">
      <Table
        label="Queues"
        rows={rows}
        keyOf={(row) => row.name}
        columns={[
          {
            head: 'Queue',
            class: 'main',
            cell: (row) => (
              <>
                {row.name}
                <span class="sub">{row.says}</span>
              </>
            ),
          },
          { head: 'Waiting', number: true, cell: (row) => <span class={row.bad ? 'tone-text-failure' : ''}>{count(row.n)}</span> },
          {
            head: 'Oldest',
            class: 'nowrap',
            dull: (row) => !row.oldest,
            cell: (row) => (row.oldest ? <When at={row.oldest} /> : <span class="quiet">–</span>),
          },
        ]}
      />
    </Section>
  );
}

function Quotas({ quotas }: { quotas: Schemas['GithubQuota'][] }) {
  return (
    <Section title={<Explained by="quota">GitHub's quota</Explained>} aside="as GitHub announced it last">
      {quotas.length === 0 ? (
        <p class="quiet">GitHub has not been asked anything yet.</p>
      ) : (
        <Table
          label="Quota of GitHub's API"
          rows={quotas}
          keyOf={(quota) => quota.account}
          columns={[
            { head: 'Account', class: 'main', cell: (quota) => (quota.account ? <Name>{quota.account}</Name> : 'the App as itself') },
            { head: 'Left', number: true, cell: (quota) => <Left quota={quota} /> },
            { head: 'Of', number: true, cell: (quota) => (quota.limit === null ? '–' : count(quota.limit)) },
            { head: 'Reset', class: 'nowrap', cell: (quota) => <When at={quota.reset_at} none="not announced" coming /> },
            {
              head: 'Held',
              class: 'nowrap',
              dull: (quota) => quota.held_until === null,
              cell: (quota) =>
                quota.held_until ? (
                  <Mark title="the relay asks nothing there until then">
                    ends <When at={quota.held_until} coming />
                  </Mark>
                ) : (
                  <span class="quiet">no</span>
                ),
            },
          ]}
        />
      )}
    </Section>
  );
}

function Left({ quota }: { quota: Schemas['GithubQuota'] }) {
  if (quota.remaining === null) return <span class="quiet">unknown</span>;
  const low = quota.remaining === 0 || (quota.limit !== null && quota.remaining < quota.limit / 10);
  return <span class={low ? 'tone-text-failure' : ''}>{count(quota.remaining)}</span>;
}

function Sinks({ sinks }: { sinks: Status['sinks'] }) {
  return (
    <Section title="Sinks" aside="who is told of each result">
      {sinks.length === 0 ? (
        <p class="quiet">
          None is configured. <code>sinks</code> in the configuration names who else hears of results.
        </p>
      ) : (
        <Table
          label="Sinks"
          rows={sinks}
          keyOf={(sink) => sink.name}
          columns={[
            { head: 'Sink', class: 'main', cell: (sink) => <Name>{sink.name}</Name> },
            { head: 'Waiting', number: true, cell: (sink) => count(sink.waiting) },
            {
              head: 'Given up',
              number: true,
              cell: (sink) => (
                <a href="/dead?kind=letter" class={sink.dead > 0 ? 'tone-text-failure' : ''}>
                  {count(sink.dead)}
                </a>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

function Sizes({ status }: { status: Status }) {
  return (
    <Section title="Sizes">
      <dl class="pairs">
        <Pair name="Store" value={`${status.store.kind}, ${bytes(status.store.bytes)} on disk, schema ${status.store.schema}`} />
        <Pair
          name="Deliveries"
          value={
            <>
              {count(status.store.deliveries)}, oldest payload kept: <When at={status.store.oldest_body_at} none="none" />
            </>
          }
        />
        <Pair
          name="Results"
          value={
            <>
              {plural(status.store.results, 'job')}, oldest kept: <When at={status.store.oldest_result_at} none="none" />
            </>
          }
        />
        {status.store.results_pruned_until !== null && (
          <Pair
            name="Pruned"
            value={
              <>
                results that ended before <When at={status.store.results_pruned_until} />; figures and the ledger stay
              </>
            }
          />
        )}
        <Pair name="Memory" value={status.memory.resident_bytes === null ? 'unknown here' : bytes(status.memory.resident_bytes)} />
        <Pair name="Open pages" value={`${plural(status.listeners, 'listener')} on the live stream`} />
        <Pair
          name="Not kept"
          value={status.refusals_dropped === 0 ? 'nothing' : `${plural(status.refusals_dropped, 'refused report')}, as too many came at once or the store was away`}
        />
      </dl>
      {status.store.sizes.length > 0 && <Room store={status.store} />}
      <p class="quiet">
        For a machine: <a href="/api/v1/status">/api/v1/status</a>, <a href="/metrics">/metrics</a>, <a href="/readyz">/readyz</a>.
      </p>
    </Section>
  );
}

const kinds: Record<Status['store']['sizes'][number]['kind'], string> = {
  payloads: 'Payloads of webhooks',
  deliveries: 'Deliveries without them',
  dispatches: 'Dispatches and attempts',
  results: 'Results',
  roll_ups: 'Roll-ups',
  ledger: 'Ledger and levels',
  checks: 'Checks and re-runs',
  other: 'All else',
  free: 'Free, to be used again',
};

function Room({ store }: { store: Status['store'] }) {
  return (
    <>
      <Table
        label="What takes the room"
        rows={store.sizes}
        keyOf={(size) => size.kind}
        columns={[
          { head: 'What', class: 'main', cell: (size) => kinds[size.kind] },
          { head: 'On disk', number: true, cell: (size) => bytes(size.bytes) },
        ]}
      />
      <p class="quiet">
        With their indexes; measured once a day, last <When at={store.sizes_at} none="never" />.
      </p>
    </>
  );
}

function Pair({ name, value }: { name: string; value: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
