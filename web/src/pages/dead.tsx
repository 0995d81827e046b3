// What was given up: how much, why, for whom, and the way back.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { count, plural } from '../figures';
import { useMayAct } from '../may_act';
import { adjust, adjusted, query } from '../nav';
import { choice, downstreamPath, pathOf, pullPath, text } from '../route';
import { dispatchStates, dispatchWord, outcomeWord } from '../words';
import { CannotAct } from '../widgets/act';
import { Explained, Glyph, Mark, Name, State, When } from '../widgets/bits';
import { Field, Pager, Switch } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { OperatorTabs } from '../widgets/operator_tabs';
import { Redeliver } from '../widgets/redeliver';
import { Table, type Column } from '../widgets/table';
import { Exports } from '../widgets/twins';
import { BulkProgress, RedeliverAll, useBulk, type Bulk } from './dead_bulk';

type Dead = Schemas['Dead'];
type Group = Schemas['DeadGroup'];

const kinds = ['', 'dispatch', 'letter'] as const;

export function Dead() {
  const now = query.value;
  const filters = { downstream: text(now, 'downstream'), reason: text(now, 'reason'), kind: choice(now, 'kind', kinds) };
  const answer = useAnswer(address('/api/v1/dead', {}, { ...filters, cursor: text(now, 'cursor') }), {
    topics: ['relay', 'downstream', 'pull'],
  });
  const bulk = useBulk(answer.retry);
  const controls = (
    <>
      <Field label="Downstream" name="downstream" placeholder="any" />
      <Switch
        label="What"
        name="kind"
        fallback=""
        clears={{ cursor: null, reason: null }}
        options={[
          { value: '', words: 'all' },
          { value: 'dispatch', words: 'dispatches' },
          { value: 'letter', words: 'letters' },
        ]}
      />
    </>
  );
  return (
    <Page title="Given up" controls={controls} tabs={<OperatorTabs />}>
      <Shown answer={answer}>
        {(dead) => (
          <div aria-busy={answer.loading}>
            <Summary dead={dead} filtered={Object.values(filters).some(Boolean)} reason={filters.reason} />
            <BulkProgress bulk={bulk} />
            {dead.groups.length > 0 && <Groups groups={dead.groups} filters={filters} bulk={bulk} />}
            {dead.dispatches.length > 0 && <Dispatches list={dead.dispatches} done={answer.retry} />}
            {dead.letters.length > 0 && <Letters list={dead.letters} />}
            <Pager next={dead.next} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Summary({ dead, filtered, reason }: { dead: Dead; filtered: boolean; reason: string }) {
  const all = (
    <button type="button" class="link" onClick={() => adjust({ downstream: null, reason: null, kind: null, cursor: null })}>
      Show everything that was given up
    </button>
  );
  if (dead.groups.length + dead.dispatches.length + dead.letters.length === 0)
    return filtered ? (
      <Empty title="Nothing that was given up fits these filters">{all}</Empty>
    ) : (
      <p class="verdict">
        <Glyph word={outcomeWord('success')} />
        <span>
          Nothing was given up. <span class="sub">Whatever could not be sent yet is still being tried.</span>
        </span>
      </p>
    );
  const worst = dead.groups[0];
  return (
    <>
      <p class="verdict">
        <Glyph word={dispatchStates.dead} />
        <span>
          {worst ? (
            <>
              Most often given up: {kindWords(worst)} {worst.kind === 'dispatch' ? 'to' : 'about'} <Name>{worst.downstream}</Name>.
            </>
          ) : (
            'Some events did not arrive.'
          )}
          <span class="sub">
            <Explained by="given-up">Given up</Explained>: a dispatch is an event that a downstream did not get; a letter is a result that could not be handed on. Neither is tried again
            by itself.
          </span>
        </span>
      </p>
      {filtered && (
        <p class="line">
          {reason && (
            <span>
              only because of: <bdi>{reason}</bdi>
            </span>
          )}
          {all}
        </p>
      )}
    </>
  );
}

function kindWords({ kind, count: n }: Group): string {
  return kind === 'dispatch' ? plural(n, 'dispatch', 'dispatches') : plural(n, 'letter');
}

function Groups({ groups, filters, bulk }: { groups: Group[]; filters: { reason: string; downstream: string }; bulk: Bulk }) {
  return (
    <Section title="By reason" aside={groups.length >= 100 ? 'the 100 most frequent, of the newest 10,000' : 'of the newest 10,000, most frequent first'}>
      <Table
        label="Given up, by reason and downstream"
        rows={groups}
        keyOf={(group) => [group.kind, group.downstream, group.reason].join('\n')}
        columns={[
          {
            head: 'Why',
            class: 'main long',
            cell: (group) => (
              <a
                data-adjust
                href={adjusted({ reason: group.reason, downstream: group.downstream, kind: group.kind, cursor: null })}
                aria-current={filters.reason === group.reason && filters.downstream === group.downstream ? 'true' : undefined}
              >
                <bdi>{group.reason || 'no reason is known'}</bdi>
              </a>
            ),
          },
          { head: 'Downstream', cell: (group) => <Whose name={group.downstream} /> },
          { head: 'What', class: 'nowrap', cell: (group) => <Mark>{group.kind}</Mark> },
          { head: 'How many', number: true, cell: (group) => count(group.count) },
          {
            head: 'Way back',
            class: 'way-back',
            dull: (group) => group.kind === 'letter',
            cell: (group) =>
              group.kind === 'dispatch' ? <RedeliverAll group={group} bulk={bulk} /> : <code>baton outbox retry</code>,
          },
        ]}
      />
      <CannotAct instead="baton deliveries redeliver" />
    </Section>
  );
}

function Whose({ name }: { name: string }) {
  if (!name) return <span class="quiet">–</span>;
  return (
    <a href={downstreamPath(name)}>
      <Name>{name}</Name>
    </a>
  );
}

function About({ upstream, number, event }: { upstream: string; number: number | null; event: string }) {
  return (
    <>
      {number !== null && upstream ? <a href={pullPath(upstream, number)}>#{number}</a> : number !== null ? `#${number}` : ''}
      <span class="sub">{event.replaceAll('_', ' ')}</span>
    </>
  );
}

function Dispatches({ list, done }: { list: Schemas['DeadDispatch'][]; done: () => void }) {
  const now = query.value;
  const asked = { downstream: text(now, 'downstream'), reason: text(now, 'reason'), kind: 'dispatch' };
  const wayBack: Column<Schemas['DeadDispatch']> = {
    head: 'Way back',
    class: 'way-back',
    cell: (row) => <Redeliver delivery={row.delivery} downstream={row.downstream} done={done} />,
  };
  return (
    <Section title="Dispatches" aside={<Exports path="/api/v1/dead" query={asked} />}>
      <Table
        label="Dispatches given up"
        rows={list}
        keyOf={(row) => row.id}
        columns={[
          { head: 'Downstream', class: 'main', cell: (row) => <Whose name={row.downstream} /> },
          { head: 'About', class: 'nowrap', cell: (row) => <About upstream={row.upstream} number={row.number} event={row.event_type} /> },
          { head: 'State', class: 'nowrap', cell: (row) => <State word={dispatchWord(row.state)} /> },
          { head: 'Why', class: 'long', cell: (row) => <bdi>{row.reason}</bdi> },
          {
            head: 'Delivery',
            class: 'rest',
            cell: (row) => (
              <a class="mono" href={pathOf({ page: 'delivery', id: row.delivery })} title={row.delivery}>
                <bdi>{row.delivery.slice(0, 8)}</bdi>
              </a>
            ),
          },
          { head: 'Tries', number: true, class: 'rest', cell: (row) => count(row.attempts) },
          { head: 'Since', class: 'nowrap', cell: (row) => <When at={row.created_at} /> },
          ...(useMayAct() ? [wayBack] : []),
        ]}
      />
    </Section>
  );
}

function Letters({ list }: { list: Schemas['DeadLetter'][] }) {
  const now = query.value;
  const asked = { downstream: text(now, 'downstream'), reason: text(now, 'reason'), kind: 'letter' };
  return (
    <Section title="Letters" aside={<Exports path="/api/v1/dead" query={asked} />}>
      <Table
        label="Letters given up"
        rows={list}
        keyOf={(row) => row.id}
        columns={[
          { head: 'To', class: 'main', cell: (row) => <Name>{row.sink}</Name> },
          { head: 'Whose result', cell: (row) => <Whose name={row.downstream} /> },
          {
            head: 'About',
            cell: (row) => (
              <>
                <About upstream="" number={row.number} event={row.event_type} />
                <span class="sub">
                  <bdi>{row.lane}</bdi>
                </span>
              </>
            ),
          },
          { head: 'Why', class: 'long', cell: (row) => <bdi>{row.detail}</bdi> },
          { head: 'Tries', number: true, class: 'rest', cell: (row) => count(row.attempts) },
          { head: 'Given up', class: 'nowrap', cell: (row) => <When at={row.died_at} /> },
        ]}
      />
    </Section>
  );
}
