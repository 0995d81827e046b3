// Who stands where on the ladder, what is lowered and why, what is proposed, who is next; below it every move there was.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { asSentence, capital, count, plural } from '../figures';
import { states, wordOf } from '../level_words';
import { query } from '../nav';
import { levelPath, text } from '../route';
import { levels as levelWords, outcomeWord } from '../words';
import { Exact, Explained, Glyph, Level, Mark, Name, State, When } from '../widgets/bits';
import { Whom } from '../widgets/across';
import { Pager, UpstreamSwitch } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { Moves } from '../widgets/moves';
import { Table, type Column } from '../widgets/table';
import { Exports } from '../widgets/twins';

type Ladder = Schemas['Levels'];
type Line = Schemas['LevelLine'];

export function Levels() {
  const upstream = text(query.value, 'upstream');
  const answer = useAnswer(address('/api/v1/levels', {}, { upstream }), { topics: ['downstream', 'relay'] });
  const ladder = answer.data;
  const upstreams = ladder?.upstreams.map((one) => one.upstream) ?? [];
  const shownUpstreams = upstream && !upstreams.includes(upstream) ? [upstream, ...upstreams] : upstreams;
  const several = new Set(ladder?.rows.map((row) => row.upstream)).size > 1;
  const controls = (
    <>
      <UpstreamSwitch upstreams={shownUpstreams} />
      <Exports path="/api/v1/levels" query={{ upstream }} />
    </>
  );
  return (
    <Page title="Levels" controls={controls}>
      <Shown answer={answer}>
        {(data) => (
          <div aria-busy={answer.loading}>
            {data.rows.length === 0 ? (
              <Empty title="Nobody stands on the ladder yet">
                One line in the allowlist adds the first downstream. It is judged at every midnight (UTC) from then on.
              </Empty>
            ) : (
              <>
                <Answer ladder={data} />
                <Frozen ladder={data} />
                <Notable ladder={data} several={several} />
                <ByLevel ladder={data} several={several} />
              </>
            )}
          </div>
        )}
      </Shown>
      <Ledger downstreams={[...new Set(ladder?.rows.map(({ repo }) => repo) ?? [])]} several={several} />
    </Page>
  );
}

function Answer({ ladder }: { ladder: Ladder }) {
  const lowered = ladder.rows.filter(({ state }) => state === 'temporary');
  const watched = ladder.rows.filter(({ state }) => state === 'watch');
  const proposed = ladder.rows.filter(({ proposal }) => proposal !== null);
  const [next] = ladder.rows
    .filter(({ earliest }) => earliest !== null)
    .sort((a, b) => Date.parse(a.earliest!) - Date.parse(b.earliest!));
  const parts = [
    lowered.length > 0 && `${plural(lowered.length, 'downstream')} lowered for now`,
    watched.length > 0 && `${count(watched.length)} watched`,
    proposed.length > 0 && `${plural(proposed.length, 'change')} of the list proposed`,
  ].filter(Boolean);
  return (
    <>
      <p class="answer">
        <strong>{parts.length > 0 ? `${capital(parts.join(', '))}.` : 'Everybody stands where the list says.'}</strong>{' '}
        {next && (
          <span class="quiet">
            Next: <Name>{next.repo}</Name>, {next.next_level} <When at={next.earliest} coming /> at best.
          </span>
        )}
      </p>
      {ladder.upstreams.map((one) => (
        <p key={one.upstream} class="line">
          {ladder.upstreams.length > 1 && <Name>{one.upstream}</Name>}
          <Evaluated one={one} />
        </p>
      ))}
    </>
  );
}

export function Evaluated({ one }: { one: Schemas['LevelUpstream'] }) {
  return (
    <>
      <span>
        <Explained by="evaluation">evaluated</Explained> {one.as_of === null ? 'never yet' : <Exact at={one.as_of} />}
      </span>
      <span>
        next evaluation {one.next_at === null ? 'is being made' : <When at={one.next_at} coming />}
      </span>
      <span title={one.profile.text}>
        <Explained by="profile">profile</Explained> <Name title={one.profile.text}>{one.profile.label}</Name>
      </span>
      {one.day_ms !== 86_400_000 && (
        <span>
          <Mark title={`levels.day of the configuration: what is called a day, a week or 72 hours here is as much shorter; ${one.profile.text}`}>
            a day lasts {(one.day_ms / 1000).toLocaleString('en')} s here
          </Mark>
        </span>
      )}
    </>
  );
}

function Frozen({ ladder }: { ladder: Ladder }) {
  return (
    <>
      {ladder.upstreams
        .filter(({ frozen }) => frozen)
        .map((one) => (
          <p key={one.upstream} class="banner" role="status">
            <strong>
              <Explained by="frozen">Frozen</Explained>: nobody moves for <Name>{one.upstream}</Name>.
            </strong>{' '}
            <bdi>{one.frozen}</bdi>
          </p>
        ))}
    </>
  );
}

function Which({ row, several }: { row: Line; several: boolean }) {
  return (
    <>
      <a href={several ? `${levelPath(row.repo)}?upstream=${encodeURIComponent(row.upstream)}` : levelPath(row.repo)}>
        <Name>{row.repo}</Name>
      </a>
      <span class="sub">
        <bdi>{[row.device, several ? `for ${row.upstream}` : ''].filter(Boolean).join(', ')}</bdi>
      </span>
    </>
  );
}

function profileOf(ladder: Ladder, row: Line): Schemas['LevelProfile'] | undefined {
  return ladder.upstreams.find((one) => one.upstream === row.upstream)?.profile;
}

// What comes next for whoever is lowered, watched or proposed.
function Then({ row, profile }: { row: Line; profile: Schemas['LevelProfile'] | undefined }) {
  return (
    <div>
      {row.proposal && (
        <>
          <Level level={row.proposal.from} /> → <Level level={row.proposal.to} /> proposed <When at={row.proposal.since} />
          <span class="sub">
            <Explained by="bundle">How to decide it</Explained>
          </span>
        </>
      )}
      {row.state === 'temporary' && profile && (
        <span class="sub">
          returns after {profile.restore_after} clean evaluations in a row, {row.streaks.clean} so far
        </span>
      )}
      {row.state === 'watch' && profile && (
        <span class="sub">
          violated at {plural(row.streaks.violated, 'evaluation')} in a row; lowered at {profile.temporary_after}
        </span>
      )}
      {row.frozen && (
        <span class="sub">
          held back: <bdi>{row.frozen}</bdi>
        </span>
      )}
    </div>
  );
}

// The reason of what "Then" says stands first; how it came to stand as it does is told apart from it.
function Why({ row }: { row: Line }) {
  const asked = row.proposal?.reason ?? '';
  if (row.state !== 'ok' || !asked)
    return (
      <div>
        <bdi>{asSentence(row.reason || row.frozen)}</bdi>
        {asked && asked !== row.reason && (
          <span class="sub">
            Proposed: <bdi>{asked}</bdi>
          </span>
        )}
      </div>
    );
  return (
    <div>
      <bdi>{asSentence(asked)}</bdi>
      {row.reason && row.reason !== asked && (
        <span class="sub">
          It stands as listed again: <bdi>{row.reason}</bdi>
        </span>
      )}
    </div>
  );
}

function Notable({ ladder, several }: { ladder: Ladder; several: boolean }) {
  const rows = ladder.rows.filter(({ state, proposal, frozen }) => state !== 'ok' || proposal !== null || frozen !== '');
  if (rows.length === 0)
    return (
      <p class="calm">
        <Glyph word={outcomeWord('success')} /> Nobody is lowered or watched, and nothing is proposed.
      </p>
    );
  return (
    <Section title="Lowered, watched, proposed" aside="worst first">
      <Table
        label="Lowered, watched, proposed"
        class="notable"
        rows={rows}
        keyOf={(row) => `${row.upstream} ${row.repo}`}
        columns={[
          {
            head: 'Downstream',
            class: 'main',
            cell: (row) => (
              <>
                <Which row={row} several={several} />
                <Level level={row.level} effective={row.effective_level} />
              </>
            ),
          },
          { head: 'Stands', class: 'nowrap', help: 'standing', cell: (row) => <Stands row={row} /> },
          {
            head: 'Why',
            class: 'long',
            cell: (row) => <Why row={row} />,
          },
          { head: 'Then', class: 'long', cell: (row) => <Then row={row} profile={profileOf(ladder, row)} /> },
        ]}
      />
    </Section>
  );
}

function Stands({ row }: { row: Line }) {
  if (row.as_of === null) return <span class="quiet">not evaluated yet</span>;
  return (
    <div>
      <State word={wordOf(states, row.state)} />
      <span class="sub">
        <When at={row.since} lasts />
      </span>
    </div>
  );
}

function Next({ row }: { row: Line }) {
  if (row.next_level === null) return <span class="quiet">it is at the top</span>;
  if (row.ready_for !== null) {
    const why = row.ready_for === 'L4' ? 'every criterion is met; L4 is the upstream’s choice' : 'every criterion is met';
    return <Mark title={why}>ready for {row.ready_for}</Mark>;
  }
  if (row.asked === 0) return <span class="quiet">{row.as_of === null ? 'not evaluated yet' : `${row.next_level}: no criterion applies`}</span>;
  return (
    <>
      {row.next_level}: {count(row.met)} of {plural(row.asked, 'criterion', 'criteria')} met
      {row.insufficient && (
        <>
          {' '}
          <Mark title="too few events, or too much excluded: nothing is decided on them">too little to tell</Mark>
        </>
      )}
    </>
  );
}

const columns: Column<Line>[] = [
  { head: 'Stands', class: 'nowrap', help: 'standing', cell: (row) => <Stands row={row} /> },
  { head: 'Next level', help: 'criterion', cell: (row) => <Next row={row} /> },
  {
    head: 'Forecast',
    class: 'long',
    help: 'forecast',
    dull: (row) => !row.forecast && row.earliest === null,
    cell: (row) => (
      <div>
        {row.earliest !== null && (
          <>
            <When at={row.earliest} coming /> at best
          </>
        )}
        <span class="sub">
          <bdi>{row.forecast}</bdi>
        </span>
      </div>
    ),
  },
  { head: 'At its level', number: true, help: 'tenure', cell: (row) => (row.tenure_days === null ? '–' : `${count(row.tenure_days)} d`) },
];

function ByLevel({ ladder, several }: { ladder: Ladder; several: boolean }) {
  const groups = (['L4', 'L3', 'L2', 'L1'] as const).filter((level) => ladder.rows.some((row) => row.level === level));
  return (
    <>
      {groups.map((level) => {
        const rows = ladder.rows.filter((row) => row.level === level);
        return (
          <Section
            key={level}
            title={
              <>
                <Level level={level} /> {capital(levelWords[level])}
              </>
            }
            aside={plural(rows.length, 'downstream')}
          >
            <Table
              label={`Downstreams at ${level}`}
              class="ladder"
              rows={rows}
              keyOf={(row) => `${row.upstream} ${row.repo}`}
              columns={[{ head: 'Downstream', class: 'main', cell: (row) => <Placed row={row} several={several} /> }, ...columns]}
            />
          </Section>
        );
      })}
    </>
  );
}

function Placed({ row, several }: { row: Line; several: boolean }) {
  return (
    <>
      <Which row={row} several={several} />
      {row.effective_level < row.level && <Level level={row.level} effective={row.effective_level} />}
    </>
  );
}

function Ledger({ downstreams, several }: { downstreams: string[]; several: boolean }) {
  const asked = { upstream: text(query.value, 'upstream'), downstream: text(query.value, 'downstream') };
  const answer = useAnswer(address('/api/v1/levels/transitions', {}, { ...asked, limit: 20, cursor: text(query.value, 'cursor') }), {
    topics: ['downstream', 'relay'],
  });
  return (
    <Section
      title={<Explained by="moves">Every move</Explained>}
      aside={
        <>
          newest first <Whom known={{ upstreams: [], downstreams }} /> <Exports path="/api/v1/levels/transitions" query={asked} />
        </>
      }
    >
      <Shown answer={answer}>
        {(ledger) => (
          <div aria-busy={answer.loading}>
            {ledger.rows.length === 0 ? (
              <Empty title="Nothing has moved yet">
                Whatever is watched, lowered, raised again or proposed stands here, with its figures, and is never changed nor removed.
              </Empty>
            ) : (
              <Moves rows={ledger.rows} whose several={several} />
            )}
            <Pager next={ledger.next} />
          </div>
        )}
      </Shown>
    </Section>
  );
}
