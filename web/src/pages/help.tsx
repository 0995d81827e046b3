// Every definition that a number or a letter on these pages rests on.
import { useEffect } from 'preact/hooks';
import { againstBase, marks, missed, whose } from '../failure_words';
import { met, moves, states } from '../level_words';
import { fragment } from '../nav';
import { itemStates } from '../quality_words';
import { absent, dispatchStates, levels, outcomes, silentDispatch, type Word } from '../words';
import { Level, State } from '../widgets/bits';
import { Page, Section } from '../widgets/frame';
import { KeyList } from '../widgets/key_sheet';

const definitions: { id: string; word: string; says: string }[] = [
  { id: 'execution', word: 'Execution', says: 'One attempt of one job of one run.' },
  {
    id: 'cell',
    word: 'Cell',
    says: 'All executions of one job (workflow and name) of one downstream on one commit, told as one outcome. A cell that passed and failed on the same commit is flaky and passes. What tells something (passed, failed, timed out) beats what does not (neutral, cancelled, skipped, needs somebody); of those the newest attempt counts. A cell runs while nothing of it has ended, or while its newest attempt runs.',
  },
  {
    id: 'conclusive',
    word: 'Conclusive',
    says: 'Cells that passed, are flaky, failed or timed out. The others are no signal: they are shown as a count and are in no rate, so that a cancelled run makes nobody look worse.',
  },
  {
    id: 'pass-rate',
    word: 'Pass rate',
    says: 'Passing cells (passed or flaky) of conclusive cells. Beside it stand its sample size n and its Wilson interval (95 %): the thick part of the line, which runs from 50 to 100 %. Under 20 samples it is marked as low data and gets no colour. From 95 % it is green, from 80 % amber, below red, on every page.',
  },
  { id: 'first-attempt', word: 'First attempt', says: 'The same rate by first attempts alone: how it looks without re-runs.' },
  {
    id: 'compat',
    word: 'Compat rate',
    says: "Successful executions of all completed ones. It is the number that PyTorch's HUD shows, kept so that evidence can be compared.",
  },
  {
    id: 'adjusted',
    word: 'Adjusted rate',
    says: 'The pass rate without failing cells that the evidence gives to upstream trunk or to infrastructure: what is left is the downstream and the pull requests. It is shown where attributions have been counted.',
  },
  {
    id: 'window',
    word: 'Window',
    says: 'Whole UTC days, today included. A cell belongs to the day on which it last ended. A day without anything is a gap, not 0 %.',
  },
  { id: 'silent', word: 'Silent', says: 'The event was sent, and nobody started anything in time.' },
  {
    id: 'queue',
    word: 'Queue and run',
    says: 'From sending to start, and from start to end. Percentiles are of exact samples, by nearest rank. Re-runs have no queue.',
  },
  {
    id: 'counts',
    word: 'Counts',
    says: 'Only executions whose run has the claim are in cells and figures. A second run of the same event is shown and does not count.',
  },
  {
    id: 'gate',
    word: 'Gate',
    says: 'One check on the pull request that branch protection requires. Downstreams at L4 are part of it. Who stays silent or is ill is suspended: its part is neutral until it is well, so that a dead downstream holds up no merge.',
  },
  {
    id: 'checks',
    word: 'Checks on GitHub',
    says: 'What the relay posts on the pull request. "Not yet" means that GitHub does not have the newest of it; the relay keeps trying.',
  },
  {
    id: 'change',
    word: 'Change',
    says: 'The pass rate in the window less the pass rate in as many days before it, in points of a hundred. It is told only when both have at least 20 conclusive cells.',
  },
  {
    id: 'flaky',
    word: 'Flaky',
    says: 'It failed and passed on the same commit. A flaky cell counts as passed, so that it makes no pass rate worse; the flake rate tells of it.',
  },
  {
    id: 'flake-rate',
    word: 'Flake rate',
    says: 'Flaky cells of all cells that passed, flaky ones included, with its Wilson interval (95 %). The list of flaky jobs is ranked by the lower end of the interval: one flake of two runs does not stand above fifty of five hundred.',
  },
  {
    id: 'cluster',
    word: 'Cluster',
    says: 'Failed tests with the same signature: the name and the message of the test without digits, hexadecimals, addresses, paths, times and ids. Only the first 100 failed tests of an execution are looked at. "On trunk" means that it was also seen by a push or a nightly run in the window.',
  },
  {
    id: 'attribution',
    word: 'Whose failure',
    says: 'The pull request, upstream trunk, the downstream, infrastructure, the relay, or chance, as far as evidence goes; each piece of evidence has a weight of 1 to 10 and is shown. Against trunk, a failure is new (it passes there), existing (it fails there too) or fixed (it passes here and failed there). None of it decides a gate.',
  },
  {
    id: 'test-history',
    word: 'History of a test',
    says: 'Every failure that was reported of it, by exactly this name. How often it passed nobody reports, so that there is no rate.',
  },
  {
    id: 'nightly',
    word: 'Nightlies',
    says: 'A day, in UTC, shows the worst of its runs. Missed: one was due and could not be sent. Silent: it was sent, and nobody started. A day on which nothing was due and nothing came is empty. Who has no schedule reports by itself, and nobody can say what it missed.',
  },
  {
    id: 'suite',
    word: 'Suite',
    says: 'A workflow, at the newest run of each device or on one commit. Its outcome is the worst of its jobs, its tests are summed over them by newest attempts.',
  },
  {
    id: 'usual',
    word: 'Usual value',
    says: "Of a benchmark: the median of up to 10 values before it that are no pull request's, when there are at least 5. A value is marked when it is away by more than 10 % and by more than three times the median distance of those values. Worse and better are told only where the unit says which way is good: of times and sizes less, of rates more.",
  },
  {
    id: 'as-of',
    word: 'As of',
    says: 'When the relay last confirmed what is on the page. Changes arrive by themselves; when the stream breaks, the page says so, keeps what it has and goes on where it stopped.',
  },
  {
    id: 'worst',
    word: 'How a delivery stands',
    says: 'The worst of its dispatches that everybody may see, newest sending of each: given up, refused, silent, to be sent, sent, started, cancelled, superseded, answered.',
  },
  {
    id: 'refused',
    word: 'Refused reports',
    says: 'Reports of results that the relay did not take: it could not tell who sent them, or they did not fit what was sent. Same caller, same reason, same UTC hour is one row with a count; the newest 10,000 rows are kept, and nothing of any token. A caller whose token could not be verified is unknown, whatever it says about itself. Totals are of the last 24 whole UTC hours and the one that runs.',
  },
  {
    id: 'given-up',
    word: 'Given up',
    says: 'A dispatch is given up when every try failed for 72 hours, or when GitHub said no in a way that another try would not change. A letter is a result on its way to a sink that would not take it. Neither is tried again by itself; somebody with an admin token can send dispatches again, one by one or all of a reason.',
  },
  {
    id: 'acknowledged',
    word: 'Acknowledged',
    says: 'Somebody looks after a matter that needs attention, until a time. It stays listed, with who and why.',
  },
  {
    id: 'parts',
    word: 'Parts',
    says: 'What the relay needs to work. It is healthy while every one of them is ready; one that is not says why.',
  },
  {
    id: 'queues',
    word: 'What waits',
    says: 'Counted when the page was answered, not over a window. "Outcome unknown" counts tries that were cut off, so that nobody knows whether GitHub took them.',
  },
  {
    id: 'quota',
    word: "GitHub's quota",
    says: 'Requests that GitHub still allows until the reset, for the App as itself and for each account it is installed at, as GitHub said with its newest answer. Held: the relay asks nothing there until then.',
  },
  {
    id: 'twins',
    word: 'CSV, NDJSON, Feed',
    says: 'The same rows for programs: all that the filters leave, not just this page of them, at most 1,000,000. A feed (Atom) tells a feed reader what changes.',
  },
  {
    id: 'actions',
    word: 'Actions',
    says: 'Sending again, running again, suspending, acknowledging and writing notes need one of admin_tokens of the relay’s configuration. The token stays in the page’s memory. Everything that is done stands in the audit, with who and why.',
  },
  {
    id: 'standing',
    word: 'Listed and effective level',
    says: 'The listed level is what the allowlist says, and Baton never changes it. While a downstream at L3 or L4 does badly, checks and gate follow one level less: "L3 → L2 for now". Events, pages and reports go on as ever, and it returns by itself.',
  },
  {
    id: 'evaluation',
    word: 'Evaluation',
    says: 'At every midnight, UTC, each downstream is judged on what it was sent and what came of it. Late results change the next evaluation, never one that was made.',
  },
  {
    id: 'profile',
    word: 'Profile',
    says: 'The criteria as data: which figure, over how many days, against which target, with how many samples at least. The configuration names it.',
  },
  {
    id: 'criterion',
    word: 'Criterion',
    says: 'One figure over its own window, compared with a target. Where a bound is named, not the figure but the end of its interval (Wilson, one-sided 95 %) is compared: the lower one to be sure that it is good, the upper one to be sure that it is bad. With fewer samples than it needs it tells nothing, neither good nor bad. It does not depend on the window that a page shows.',
  },
  {
    id: 'window-of-levels',
    word: 'Windows of criteria',
    says: 'Whole UTC days before the evaluation, by when the event was sent. What may still be answered in time, planned pauses and suspensions are in no figure.',
  },
  { id: 'trend', word: 'Trend of a criterion', says: 'What was compared at the last 30 evaluations: its value, or its bound where one is named; the dashed line is the target. What was not known is a gap. The same as a table: the switch at the top.' },
  { id: 'tenure', word: 'Time at a level', says: 'Whole days since the list has it at this level or above.' },
  {
    id: 'forecast',
    word: 'Forecast',
    says: 'When it could be raised at best, as things go: time at the level, days with events, and evaluations in a row. Not a promise.',
  },
  {
    id: 'level-rates',
    word: 'Rates of the ladder',
    says: 'Raw: latest attempts that passed of those that completed, cancelled ones included, as PyTorch counts. After exclusions: passing of passing and counting outcomes. Events all green: events whose required jobs all pass. Raw and adjusted always stand side by side.',
  },
  {
    id: 'exclusions',
    word: 'Exclusions',
    says: 'Red outcomes that are not held against a downstream, by comparison with trunk and with others alone: trunk is red for others too, the pull request breaks others too, or only this downstream sees a break that nothing has disproved. Each names its rule and evidence. When too much of what was decided is excluded, nothing moves.',
  },
  {
    id: 'moves',
    word: 'Moves',
    says: 'Every change of state and every proposal is a line of a ledger that only grows, with its figures and the digest of the days behind it.',
  },
  {
    id: 'frozen',
    word: 'Frozen',
    says: 'Nobody moves while the relay itself was unwell, or when half of all who are judged are violated at once: then it is hardly their fault.',
  },
  {
    id: 'bundle',
    word: 'Bundle',
    says: 'The evidence for a change of the list, to read and to verify without the relay: verdict, every outcome, exclusions, chart, patch of the list, digests and a signature. `baton levels bundle OWNER/REPO --out DIR` makes it, `baton levels verify DIR --key PUBLIC.pem` checks it. Attach it to the pull request that changes the list.',
  },
  {
    id: 'platform-quality',
    word: 'Platform quality',
    says: 'What users may expect of a platform, scored from a file that its vendor keeps and anybody can check, by criteria that are data. Baton computes and says what it rests on; maintainers decide.',
  },
  {
    id: 'points',
    word: 'Points',
    says: 'Proven: claimed with evidence, or decided by a measured value. Unknown: nobody has said; it may be there. Missing: looked at, and not there. Exempt: does not apply, and leaves points and total. A number never stands without what is unknown and without P0, the items that the best level asks for.',
  },
  {
    id: 'grade',
    word: 'Grade',
    says: 'The level that one assessment of one release reaches by what is proven. Levels are tried best first; all that one asks for has to be there.',
  },
  {
    id: 'documented',
    word: 'Documented level',
    says: 'What two releases in a row support: it is kept between the lower and the higher of their grades, beginning at the lowest level. A release that nobody assessed breaks the row; while others have newer assessments it is stale, and nothing can be concluded.',
  },
  {
    id: 'decision',
    word: 'Decision',
    says: 'What the maintainers say, which may differ from what was computed. Both are shown.',
  },
  {
    id: 'reading',
    word: 'Reading',
    says: 'The document says "80 %" without saying of what and how to round. Of the total that it prints or of the sum of its rows, rounded down or exact: four readings. Where they disagree about a grade it is reading-sensitive.',
  },
  {
    id: 'interpretations',
    word: 'Interpretations',
    says: 'Where the document leaves a question open there is a numbered answer (A1 to A36), so that everybody can see what a score rests on. docs/reference/quality-interpretations.md has them.',
  },
  {
    id: 'item-state',
    word: 'State of an item',
    says: 'Met, in part, not met, unknown or exempt; without evidence when something is claimed and nothing shown for it, too little when it was measured on too few.',
  },
  {
    id: 'trust',
    word: 'Trust in evidence',
    says: 'As it is declared. T4: measured by a relay, as a snapshot or over a window, with a digest. T3: of a run that an authenticated repository reported, with a digest. T2: a file with its digest. T1: a link that everybody can open. T0: a statement, or what others cannot look at. `baton quality verify` looks whether digests and signatures hold.',
  },
  {
    id: 'expired',
    word: 'Expired evidence',
    says: 'Evidence counts for so many days, by the item or its type. Points all of whose evidence is older stay, and are said to be stale: capture it again.',
  },
  {
    id: 'fall-risk',
    word: 'What may fall',
    says: 'Of a measured item: how many tests, operators or answers may be lost before it loses points, and how many more would bring the next step.',
  },
  {
    id: 'process',
    word: 'Process',
    says: 'How a platform comes to be documented: proposal, reviews by the working group and the council, the decision of the maintainers, the change of the documentation. An assessment is due again on its day, and overdue after it.',
  },
  {
    id: 'support',
    word: 'Support',
    says: 'What works on the platform as its vendor says: full, partial with a note, or none. It earns no points.',
  },
  {
    id: 'clock',
    word: 'Clock?',
    says: "A time that a downstream told and that cannot be right. It is shown as it was told; figures use the relay's clock.",
  },
];

export function Help() {
  const wanted = fragment.value.slice(1);
  useEffect(() => {
    if (wanted) document.getElementById(wanted)?.scrollIntoView();
  }, [wanted]);
  return (
    <Page title="Help">
      <p class="lead">
        Baton passes an upstream's events to downstream repositories and brings their results home. These pages show what arrived, what was
        sent, and what came back.
      </p>
      <Section title="Words behind the numbers">
        <dl class="definitions">
          {definitions.map(({ id, word, says }) => (
            <div key={id} id={id}>
              <dt>{word}</dt>
              <dd>{says}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={<span id="glyphs">Signs</span>}>
        <Words list={[...Object.values(outcomes), absent]} />
      </Section>
      <Section title="What became of an event">
        <Words list={[...Object.values(dispatchStates), silentDispatch]} />
      </Section>
      <Section title="Whose failure, and against trunk">
        <Words list={[...Object.values(whose), ...Object.values(againstBase)]} />
      </Section>
      <Section title="Nightlies and benchmarks">
        <Words list={[missed, ...Object.values(marks)]} />
      </Section>
      <Section title="States and moves of levels">
        <Words list={Object.values(states)} />
        <Words list={Object.values(moves)} />
        <Words list={Object.values(met)} />
      </Section>
      <Section title="States of items of platform quality">
        <Words list={Object.values(itemStates)} />
      </Section>
      <Section title={<span id="levels">Levels</span>}>
        <dl class="definitions">
          {Object.entries(levels).map(([level, says]) => (
            <div key={level}>
              <dt>
                <Level level={level as keyof typeof levels} />
              </dt>
              <dd>{says}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title="Keys">
        <KeyList />
      </Section>
      <Section title="For programs">
        <p>
          Every page is drawn from an API that needs no account: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a> describes it. The
          page <code>/pr/OWNER/REPO/N</code>, for one, is <code>/api/v1/pulls/OWNER/REPO/N</code>, and <code>/badge/OWNER/REPO.svg</code> is
          a downstream's badge. Pages under <code>/quality</code> have their twins at their own address: <code>/quality/PLATFORM.json</code>,{' '}
          <code>.md</code>, and <code>.svg</code> for a badge.
        </p>
      </Section>
    </Page>
  );
}

function Words({ list }: { list: Word[] }) {
  return (
    <dl class="definitions">
      {list.map((word) => (
        <div key={word.glyph + word.word}>
          <dt>
            <State word={word} />
          </dt>
          <dd>{word.meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
