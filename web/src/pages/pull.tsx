// One pull request at one commit: may it be merged, and if not, because of whom?
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { capital, plural, shortSha } from '../figures';
import { adjust, query } from '../nav';
import { choice, downstreamPath, pullPath, text } from '../route';
import { levels, mergeSentence, outcomeWord, sentence, standsAs, verdictSaid } from '../words';
import { Explained, Glyph, Level, Mark, Name, Out, Sha, State, When } from '../widgets/bits';
import { Switch } from '../widgets/controls';
import { Empty, Page, Section, Shown } from '../widgets/frame';
import { Notes } from '../widgets/notes_later';
import { Table } from '../widgets/table';
import { Feed } from '../widgets/twins';
import { Timeline } from '../widgets/timeline';
import { AttentionAbout } from './attention';
import { WhoseInShort } from './attribution';
import { BackendOnPull } from './pull_backend';
import { Rerun } from './rerun';

type Pull = Schemas['Pull'];

export function Pull({ owner, repo, number }: { owner: string; repo: string; number: number }) {
  const upstream = `${owner}/${repo}`;
  const sha = text(query.value, 'sha');
  const answer = useAnswer(address('/api/v1/pulls/{owner}/{repo}/{number}', { owner, repo, number }, { sha }), {
    topics: ['pull'],
    upstream,
    number,
  });
  const title = answer.data?.title ? `${answer.data.title} · ${upstream} #${number}` : `${upstream} #${number}`;
  const head = (
    <>
      {answer.data?.title && (
        <>
          <bdi>{answer.data.title}</bdi>{' '}
        </>
      )}
      <span class={answer.data?.title ? 'quiet' : ''}>
        <Name>{upstream}</Name> <span class="quiet">#{number}</span>
      </span>
    </>
  );
  const controls = (
    <Switch
      label="Downstreams"
      name="show"
      fallback="all"
      options={[
        { value: 'all', words: 'all downstreams' },
        { value: 'not-green', words: 'not green' },
      ]}
    />
  );
  return (
    <Page title={title} head={head} controls={controls}>
      <Shown answer={answer}>
        {(pull) => (
          <div aria-busy={answer.loading}>
            <Told pull={{ ...pull, backends: pull.backends.map((backend) => ({ ...backend, outcome: standsAs(backend) })) }} done={answer.retry} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Told({ pull, done }: { pull: Pull; done: () => void }) {
  return (
    <>
      <Verdict pull={pull} />
      <AttentionAbout subject={`${pull.upstream}#${pull.number}`} />
      <Notes about="pull" subject={`${pull.upstream}#${pull.number}`} />
      <Backends pull={pull} done={done} />
      <Checks pull={pull} />
      <Section title="What happened" aside={<HappenedAside pull={pull} />}>
        {pull.timeline.length === 0 ? <p class="quiet">Nothing yet.</p> : <Timeline events={pull.timeline} />}
      </Section>
    </>
  );
}

function HappenedAside({ pull }: { pull: Pull }) {
  return (
    <>
      {plural(pull.timeline.length, 'event')}
      <Feed path={`/feeds${pullPath(pull.upstream, pull.number)}.atom`} of="this pull request" />
    </>
  );
}

function Verdict({ pull }: { pull: Pull }) {
  const { word, first, rest } = verdictSaid(pull);
  const deciding = pull.backends.filter(({ blocking }) => blocking).map(({ outcome }) => outcome);
  const current = pull.heads.find((head) => head.sha === pull.sha)?.current ?? true;
  return (
    <>
      <p class={`verdict tone-text-${word.tone}`}>
        <Glyph word={word} />
        <span>
          <strong>{first}</strong>{' '}
          <span class="verdict-text">
            <bdi>{rest}</bdi>
          </span>
          <span class="sub">
            {pull.open && (deciding.length === 0 || pull.verdict.merge === 'over') && `${word.meaning} `}
            {deciding.length > 0 && mergeSentence(deciding)}
          </span>
        </span>
      </p>
      <WhoseInShort backends={pull.backends} />
      {!current && (
        <p class="banner" role="status">
          This is an older commit. <a href={location.pathname}>Show the newest</a>
        </p>
      )}
      <p class="line">
        <span>
          by <Name>{pull.author}</Name>
        </span>
        <span>
          {pull.open ? 'open' : 'closed'}
          {pull.draft && ', draft'}
        </span>
        <HeadSelector pull={pull} />
        {pull.labels.map((label) => (
          <Mark key={label}>
            <bdi>{label}</bdi>
          </Mark>
        ))}
        <Out to={pull.github_url}>on GitHub</Out>
      </p>
    </>
  );
}

function HeadSelector({ pull }: { pull: Pull }) {
  if (pull.heads.length < 2)
    return (
      <span>
        commit <Sha sha={pull.sha} />
      </span>
    );
  const choose = (sha: string) => adjust({ sha: pull.heads.find((head) => head.sha === sha)?.current ? null : sha });
  return (
    <label class="field">
      <span>commit</span>
      <select value={pull.sha} onChange={(event) => choose(event.currentTarget.value)}>
        {pull.heads.map((head) => (
          <option key={head.sha} value={head.sha}>
            {shortSha(head.sha)}
            {head.current ? ' (newest)' : ''}
          </option>
        ))}
      </select>
      <span class="quiet">
        of {pull.heads.length}, seen <When at={pull.heads.find((head) => head.sha === pull.sha)?.first_seen ?? null} />
      </span>
    </label>
  );
}

function Withheld({ pull }: { pull: Pull }) {
  if (pull.withheld.length === 0) return null;
  return (
    <ul class="withheld">
      {pull.withheld.map(({ repo, level, effective_level, reason }) => (
        <li key={repo}>
          <Level level={level} effective={effective_level} />{' '}
          <a href={downstreamPath(repo)}>
            <Name>{repo}</Name>
          </a>{' '}
          is sent nothing: <bdi>{reason}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Backends({ pull, done }: { pull: Pull; done: () => void }) {
  const onlyBad = choice(query.value, 'show', ['all', 'not-green']) === 'not-green';
  const list = onlyBad ? pull.backends.filter(({ outcome }) => outcome !== 'success') : pull.backends;
  if (pull.backends.length === 0)
    return (
      <>
        <Empty title="No downstream heard of this commit">
          Who hears of what stands in the allowlist; the deliveries below say what was decided.
        </Empty>
        <Withheld pull={pull} />
      </>
    );
  if (list.length === 0)
    return (
      <p class="calm">
        <Glyph word={outcomeWord('success')} /> All {pull.backends.length} downstreams are green.
      </p>
    );
  const blocking = list.filter((backend) => backend.blocking);
  const others = list.filter((backend) => !backend.blocking);
  const groups = [...new Set(others.map(({ level }) => level))];
  return (
    <>
      {blocking.length > 0 && (
        <Group
          title={
            <>
              <Level level="L4" /> {capital(levels.L4)}
            </>
          }
          list={blocking}
          pull={pull}
          done={done}
        />
      )}
      {groups.map((level) => (
        <Group
          key={level}
          title={
            <>
              <Level level={level} /> {level === 'L4' ? 'Does not count for now' : capital(levels[level])}
            </>
          }
          list={others.filter((backend) => backend.level === level)}
          pull={pull}
          done={done}
        />
      ))}
      <Withheld pull={pull} />
    </>
  );
}

function Group({
  title,
  list,
  pull,
  done,
}: {
  title: preact.ComponentChildren;
  list: Schemas['BackendOnPull'][];
  pull: Pull;
  done: () => void;
}) {
  const current = pull.heads.find((head) => head.sha === pull.sha)?.current ?? true;
  return (
    <Section title={title} aside={sentence(list.map(({ outcome }) => outcome))}>
      <div class="backends">
        {list.map((backend) => (
          <BackendOnPull
            key={backend.repo}
            backend={backend}
            blocks={pull.open && pull.verdict.merge === 'blocked'}
            again={pull.open && current && <Rerun pull={pull} backend={backend} done={done} />}
          />
        ))}
      </div>
    </Section>
  );
}

function Checks({ pull }: { pull: Pull }) {
  const all = pull.gate ? [pull.gate, ...pull.checks] : pull.checks;
  if (all.length === 0) return null;
  return (
    <Section title={<Explained by="checks">Checks on GitHub</Explained>} aside={plural(all.length, 'check')}>
      <Table
        label="Checks"
        rows={all}
        keyOf={(check) => check.name}
        columns={[
          { head: 'Check', class: 'main', cell: (check) => <Name>{check.name}</Name> },
          {
            head: 'Says',
            class: 'nowrap',
            cell: (check) =>
              check.status === 'completed' ? (
                <State word={outcomeWord(check.conclusion)} />
              ) : (
                <State word={outcomeWord('running')}>{check.status.replace('_', ' ')}</State>
              ),
          },
          {
            head: 'Title',
            cell: (check) => (
              <>
                <bdi>{check.title}</bdi>
                {check.trouble && (
                  <span class="sub">
                    <bdi>{check.trouble}</bdi>
                  </span>
                )}
              </>
            ),
          },
          { head: 'On GitHub', class: 'nowrap', cell: (check) => (check.on_github ? 'yes' : <Mark>not yet</Mark>) },
        ]}
      />
    </Section>
  );
}
