// One downstream on the ladder: where it stands, what the next level asks for, what keeps this one, and how it came here.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { asSentence, capital, count, plural } from '../figures';
import { classes, rules, states, tooLittle, uncounted, wordOf } from '../level_words';
import { query } from '../nav';
import { choice, downstreamPath, ownPage, pullPath, text } from '../route';
import { levels } from '../words';
import { Explained, Glyph, Level, Mark, Name, Out, Sha, When } from '../widgets/bits';
import { Switch } from '../widgets/controls';
import { Page, Section, Shown } from '../widgets/frame';
import { Moves } from '../widgets/moves';
import { Table } from '../widgets/table';
import { Criteria, TrendTable } from './criteria';
import { LevelRates } from './level_rates';
import { Evaluated } from './levels';

type Detail = Schemas['LevelDetail'];

export function LevelOfOne({ owner, repo }: { owner: string; repo: string }) {
  const name = `${owner}/${repo}`;
  const answer = useAnswer(address('/api/v1/downstreams/{owner}/{repo}/level', { owner, repo }, { upstream: text(query.value, 'upstream') }), {
    topics: ['downstream'],
    downstream: name,
  });
  const head = (
    <>
      <Name>{name}</Name> <span class="quiet">level</span>
    </>
  );
  const controls = (
    <Switch label="Trends as" name="trend" fallback="lines" options={['lines', 'table'].map((value) => ({ value, words: `trend ${value}` }))} />
  );
  return (
    <Page title={`${name}, level`} head={head} controls={controls}>
      <Shown answer={answer}>
        {(detail) => (
          <div aria-busy={answer.loading}>
            <Stands detail={detail} />
            <Asked detail={detail} />
            <LevelRates detail={detail} />
            <Exclusions detail={detail} />
            <History detail={detail} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Stands({ detail }: { detail: Detail }) {
  const { standing, evaluation } = detail;
  const word = wordOf(states, standing.state);
  return (
    <>
      <p class={`verdict tone-text-${standing.as_of === null ? 'none' : word.tone}`}>
        <Glyph word={word} />
        <span>
          <Level level={standing.level} effective={standing.effective_level} />{' '}
          {standing.state !== 'temporary' && <strong>{standing.as_of === null ? 'Not evaluated yet.' : `${capital(word.word)}.`}</strong>}{' '}
          <span class="verdict-text">
            {standing.reason && <bdi>{asSentence(standing.reason)} </bdi>}
            {standing.state === 'ok' && levelSentence(detail)}
          </span>
          <span class="sub">
            <bdi>{standing.forecast}</bdi>
            {standing.earliest !== null && (
              <>
                {' '}
                {standing.next_level} <When at={standing.earliest} coming /> at best.
              </>
            )}
          </span>
        </span>
      </p>
      <p class="line">
        <a href={downstreamPath(standing.repo)}>its page</a>
        <span>
          for <Name>{standing.upstream}</Name>
        </span>
        {standing.since !== null && (
          <span>
            so <When at={standing.since} lasts />
          </span>
        )}
        {standing.tenure_days !== null && <Explained by="tenure">{plural(standing.tenure_days, 'day')} at its level</Explained>}
        <Evaluated one={evaluation} />
      </p>
      <Banners detail={detail} />
    </>
  );
}

function levelSentence({ standing, evaluation }: Detail): string {
  if (standing.next_level === null) return `It ${levels[standing.level]}; there is no higher level.`;
  if (standing.ready_for) return `Every criterion of ${standing.ready_for} is met.`;
  if (standing.as_of === null) return '';
  if (standing.asked === 0) return `No criterion of ${standing.next_level} applies: ${evaluation.profile.label} has none.`;
  return `${standing.met} of ${plural(standing.asked, 'criterion', 'criteria')} of ${standing.next_level} ${standing.met === 1 ? 'is' : 'are'} met.`;
}

function Banners({ detail }: { detail: Detail }) {
  const { standing, evaluation } = detail;
  const frozen = standing.frozen || evaluation.frozen;
  return (
    <>
      {frozen && (
        <p class="banner" role="status">
          <strong>
            <Explained by="frozen">Frozen</Explained>: nobody moves.
          </strong>{' '}
          <bdi>{frozen}</bdi>
        </p>
      )}
      {standing.state === 'temporary' && (
        <p class="banner" role="status">
          <strong>Checks and gate follow {standing.effective_level}.</strong> It returns by itself after{' '}
          {evaluation.profile.restore_after} clean evaluations in a row; {standing.streaks.clean} so far.
        </p>
      )}
      {standing.proposal && (
        <p class="banner" role="status">
          <strong>
            {standing.proposal.from} → {standing.proposal.to} was proposed
          </strong>{' '}
          <When at={standing.proposal.since} />. <bdi>{asSentence(standing.proposal.reason)}</bdi> Baton does not change the list: its keepers do
          {standing.proposal.pull_request ? (
            <>
              , in <Out to={standing.proposal.pull_request}>this pull request</Out>.
            </>
          ) : (
            '.'
          )}
        </p>
      )}
      {standing.insufficient && (
        <p class="banner" role="status">
          <strong>Too little to tell.</strong> {tooLittle(detail)} Nothing moves on these figures.
        </p>
      )}
    </>
  );
}

function Asked({ detail }: { detail: Detail }) {
  const asTable = choice(query.value, 'trend', ['lines', 'table']) === 'table';
  const { standing, next, demotion } = detail;
  const window = <Explained by="window-of-levels">windows end at the evaluation</Explained>;
  const more = next.length > 0 && (
    <Section
      title={
        <>
          What <Level level={standing.next_level!} /> asks for
        </>
      }
      aside={
        <>
          <span>
            {count(standing.met)} of {count(standing.asked)} met
          </span>
          {window}
        </>
      }
    >
      {asTable ? <TrendTable list={next} /> : <Criteria label={`What ${standing.next_level} asks for`} list={next} />}
      <HowToAsk detail={detail} />
    </Section>
  );
  const keeps = demotion.length > 0 && (
    <Section
      title={
        <>
          What keeps it at <Level level={standing.level} />
        </>
      }
      aside={
        <>
          <span>{standing.violated === 0 ? 'nothing is violated' : `${plural(standing.violated, 'criterion', 'criteria')} violated`}</span>
          {window}
        </>
      }
    >
      {asTable ? <TrendTable list={demotion} /> : <Criteria label={`What keeps it at ${standing.level}`} list={demotion} />}
    </Section>
  );
  if (!more && !keeps)
    return (
      <p class="quiet">
        {standing.as_of === null
          ? 'Nothing is measured yet: the first evaluation is at the next midnight, UTC.'
          : `Nothing is asked of it here: ${detail.evaluation.profile.label} has no criterion that keeps ${standing.level}${standing.next_level ? `, and none for ${standing.next_level}` : ''}.`}
      </p>
    );
  // Whoever is not well wants to know what is wrong before what comes next.
  return standing.state === 'ok' ? (
    <>
      {more}
      {keeps}
    </>
  ) : (
    <>
      {keeps}
      {more}
    </>
  );
}

function HowToAsk({ detail }: { detail: Detail }) {
  return (
    <>
      <p class="rule under">
        <Explained by="bundle">To ask for it with evidence</Explained>, whoever runs the relay makes a signed bundle:
      </p>
      <pre class="command">
        baton levels bundle <bdi>{detail.standing.repo}</bdi> --out DIR
      </pre>
    </>
  );
}

function Exclusions({ detail }: { detail: Detail }) {
  const { exclusions, standing } = detail;
  if (exclusions === null) return null;
  return (
    <Section
      title={<Explained by="exclusions">Not held against it</Explained>}
      aside={`${count(exclusions.excluded)} of ${count(exclusions.decided)} decided outcomes, ${exclusions.window} d to the evaluation`}
    >
      {exclusions.by_rule.length > 0 && (
        <p class="numbers">
          {exclusions.by_rule.map(({ rule, red, excluded }) => (
            <Mark key={rule} title={rules[rule]?.meaning ?? rule}>
              {rules[rule]?.word ?? rule}: {count(excluded)} of {count(red)} excluded
            </Mark>
          ))}
        </p>
      )}
      {exclusions.newest.length === 0 ? (
        <p class="quiet">{uncounted(exclusions)}</p>
      ) : (
        <Table
          label="Not held against it"
          class="excluded"
          rows={exclusions.newest}
          keyOf={(row) => `${row.at} ${row.sha} ${row.workflow} ${row.job}`}
          columns={[
            { head: 'Outcome', class: 'main', cell: (row) => <OutcomeOf row={row} /> },
            {
              head: 'Of',
              class: 'nowrap',
              cell: (row) => (
                <>
                  {row.number === null ? (
                    row.event_type.replaceAll('_', ' ')
                  ) : (
                    <a href={`${pullPath(standing.upstream, row.number)}?sha=${encodeURIComponent(row.sha)}`}>#{row.number}</a>
                  )}{' '}
                  <Sha sha={row.sha} />
                </>
              ),
            },
            {
              head: 'Because of',
              class: 'nowrap',
              cell: (row) => (
                <span title={rules[row.rule]?.meaning}>
                  {rules[row.rule]?.word ?? row.rule} {row.provisional && <Mark title="not settled yet: it may still count">for now</Mark>}
                </span>
              ),
            },
            { head: 'Evidence', class: 'long', cell: (row) => <bdi>{row.evidence}</bdi> },
            { head: 'Sent', class: 'nowrap', cell: (row) => <When at={row.at} /> },
          ]}
        />
      )}
    </Section>
  );
}

function OutcomeOf({ row }: { row: Schemas['LevelOutcome'] }) {
  const to = row.link ? ownPage(row.link) : null;
  const name = row.job || row.workflow || 'the event';
  return (
    <>
      {to ? (
        <a href={to}>
          <Name>{name}</Name>
        </a>
      ) : (
        <Name>{name}</Name>
      )}
      <span class="sub">{classes[row.outcome] ?? row.outcome}</span>
    </>
  );
}

function History({ detail }: { detail: Detail }) {
  const all = `/levels?downstream=${encodeURIComponent(detail.standing.repo)}`;
  return (
    <Section title={<Explained by="moves">How it came here</Explained>} aside={<a href={all}>every move of it</a>}>
      {detail.history.length === 0 ? (
        <p class="quiet">It has not moved since it is listed.</p>
      ) : (
        <Moves rows={detail.history} whose={false} />
      )}
    </Section>
  );
}
