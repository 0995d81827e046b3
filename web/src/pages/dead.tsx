// What was given up: why, since when, and the way back.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { count, plural } from '../figures';
import { downstreamPath, pathOf } from '../route';
import { dispatchWord, outcomeWord } from '../words';
import { Glyph, Name, State, When } from '../widgets/bits';
import { Page, Section, Shown } from '../widgets/frame';
import { Redeliver } from '../widgets/redeliver';
import { Table } from '../widgets/table';

export function Dead() {
  const answer = useAnswer(address('/api/v1/dead'), { topics: ['relay', 'downstream', 'pull'] });
  return (
    <Page title="Dead letters">
      <Shown answer={answer}>
        {(dead) => (
          <div aria-busy={answer.loading}>
            {dead.dispatches.length + dead.letters.length === 0 && (
              <p class="calm">
                <Glyph word={outcomeWord('success')} /> Nothing was given up. Whatever could not be sent yet is still being tried.
              </p>
            )}
            {dead.dispatches.length > 0 && <Dispatches list={dead.dispatches} done={answer.retry} />}
            {dead.letters.length > 0 && <Letters list={dead.letters} />}
            {dead.more && (
              <p class="quiet">
                There are more; the newest 200 of each are listed. <code>baton deliveries list</code> shows all.
              </p>
            )}
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Dispatches({ list, done }: { list: Schemas['DeadDispatch'][]; done: () => void }) {
  return (
    <Section title="Dispatches" aside={`${plural(list.length, 'event')} that a downstream did not get`}>
      <Table
        label="Dispatches given up"
        rows={list}
        keyOf={(row) => row.id}
        columns={[
          {
            head: 'Downstream',
            class: 'main',
            cell: (row) => (
              <a href={downstreamPath(row.downstream)}>
                <Name>{row.downstream}</Name>
              </a>
            ),
          },
          { head: 'State', class: 'nowrap', cell: (row) => <State word={dispatchWord(row.state)} /> },
          { head: 'Why', class: 'long', cell: (row) => <bdi>{row.reason}</bdi> },
          {
            head: 'Delivery',
            cell: (row) => (
              <a class="mono" href={pathOf({ page: 'delivery', id: row.delivery })} title={row.delivery}>
                <bdi>{row.delivery.slice(0, 8)}</bdi>
              </a>
            ),
          },
          { head: 'Tries', number: true, cell: (row) => count(row.attempts) },
          { head: 'Since', class: 'nowrap', cell: (row) => <When at={row.created_at} /> },
          { head: 'Way back', cell: (row) => <Redeliver delivery={row.delivery} downstream={row.downstream} done={done} /> },
        ]}
      />
    </Section>
  );
}

function Letters({ list }: { list: Schemas['DeadLetter'][] }) {
  return (
    <Section title="Letters" aside="checks and results that could not be handed on">
      <Table
        label="Letters given up"
        rows={list}
        keyOf={(row) => row.id}
        columns={[
          { head: 'To', class: 'main', cell: (row) => <Name>{row.sink}</Name> },
          { head: 'About', cell: (row) => <Name>{row.lane}</Name> },
          { head: 'Why', class: 'long', cell: (row) => <bdi>{row.detail}</bdi> },
          { head: 'Tries', number: true, cell: (row) => count(row.attempts) },
          { head: 'Given up', class: 'nowrap', cell: (row) => <When at={row.died_at} /> },
        ]}
      />
    </Section>
  );
}
