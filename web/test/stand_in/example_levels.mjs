// Examples about the ladder: who stands where, what each level asks for, and every move there was.
import { at, backends, chance, day, leveled, sha, upstream } from './world.mjs';

const profile = {
  label: 'baton/1',
  text: 'PyTorch’s rules for level 3, with least samples, confidence and hysteresis',
  temporary_after: 2,
  temporary_events: 20,
  restore_after: 3,
  raise_after: 2,
  lower_after: 2,
  cool_down: 14,
  excluded_max: 0.3,
};

const hour = 3_600_000;
const midnight = (now) => Math.floor(now / day) * day;

// Wilson, one-sided 95 %, as the ladder counts.
function bounded(value, n) {
  if (n === 0) return { value: null, n: 0, lower: null, upper: null };
  const z = 1.645;
  const middle = (value + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((value * (1 - value)) / n + (z * z) / (4 * n * n));
  return { value, n, lower: Math.max(0, middle - half), upper: Math.min(1, middle + half) };
}

const units = { tenure_l2: 'days', tenure_l3: 'days', events: 'count', days_with_data: 'count', limited: 'count', silence: 'hours', queue_mean: 'ms', e2e_p50: 'ms', oncall_p50: 'ms' };

// id, figure, window, comparison, target, bound, least, what it asks for, what would change it
const asks = {
  L2: [
    ['l2.events', 'events', 14, '>=', 20, 'none', 0, 'at least 20 events in 14 days', 'It needs more events; they come by themselves.'],
    ['l2.invalid', 'invalid_rate', 14, '<', 0.05, 'none', 20, 'reports that are refused for what they say', 'Fewer refused reports: the page of refused reports says why.'],
  ],
  L3: [
    ['l3.tenure', 'tenure_l2', 30, '>=', 30, 'none', 0, '30 days at level 2', 'Time alone: it is at level 2 long enough on the day of the forecast.'],
    ['l3.events', 'events', 14, '>=', 30, 'none', 0, 'at least 30 events', 'It needs more events; they come by themselves.'],
    ['l3.days', 'days_with_data', 14, '>=', 10, 'none', 0, 'on at least 10 of 14 days', 'Events on more days.'],
    ['l3.pass', 'pass_run', 14, '>=', 0.9, 'lower', 30, 'required jobs pass, with confidence', '14 events that pass, one after the other, would lift the lower bound to 90 %.'],
    ['l3.e2e_p50', 'e2e_p50', 14, '<', 3 * hour, 'none', 20, 'half of all events are answered within 3 hours', 'The slowest required job decides: make it shorter, or start it sooner.'],
    ['l3.overrun', 'overrun_rate', 14, '<', 0.01, 'none', 100, 'jobs that run longer than 3 hours', '1 job fewer that runs longer than 3 hours.'],
    ['l3.queue', 'queue_mean', 14, '<', hour / 2, 'none', 20, 'mean wait for a machine', 'More machines, or fewer events: the mean has to fall by 12 min.'],
    ['l3.timeout', 'timeout_rate', 14, '<', 0.01, 'none', 100, 'jobs that time out', '3 time-outs fewer in 14 days.'],
    ['l3.device', 'device_named', 14, '>=', 0.95, 'none', 20, 'runs that name their device', 'Report `device` with every run.'],
  ],
  L4: [
    ['l4.tenure', 'tenure_l3', 90, '>=', 60, 'none', 0, '60 days at level 3', 'Time alone.'],
    ['l4.pass', 'pass_run', 14, '>=', 0.97, 'lower', 100, 'required jobs pass, with confidence', '31 events that pass, one after the other, would lift the lower bound to 97 %.'],
    ['l4.answered', 'answered', 14, '>=', 0.99, 'none', 50, 'events with a final verdict', '2 events fewer without an answer.'],
    ['l4.false_alarm', 'false_alarm', 14, '<=', 0.01, 'none', 50, 'false alarms on pull requests', '1 false alarm fewer.'],
    ['l4.coverage', 'gate_coverage', 14, '>=', 0.95, 'none', 20, 'merged with its verdict in hand', 'Answer before the merge: 3 pull requests were merged without it.'],
  ],
  keep: [
    ['keep.pass', 'pass_adj', 7, '>=', 0.9, 'none', 20, 'jobs pass after exclusions', '9 failures fewer in 7 days.'],
    ['keep.e2e_p50', 'e2e_p50', 7, '<', 3 * hour, 'none', 20, 'half of all events are answered within 3 hours', 'The slowest required job decides.'],
    ['keep.queue', 'queue_mean', 7, '<', hour / 2, 'none', 20, 'mean wait for a machine', 'More machines.'],
    ['keep.timeout', 'timeout_rate', 7, '<', 0.01, 'none', 20, 'jobs that time out', '2 time-outs fewer in 7 days.'],
  ],
  watch: [
    ['watch.flakes', 'flake_rate', 7, '<', 0.05, 'none', 20, 'jobs that pass only at a second try', 'Fewer flakes: the page of flaky jobs names them.'],
  ],
  at_once: [
    ['now.pass', 'pass_adj', 7, '>=', 0.9, 'upper', 20, 'jobs pass, even at best', 'Whatever lifts the rate itself.'],
    ['now.silence', 'silence', 7, '<', 72, 'none', 0, 'an answer within 72 hours', 'One answer.'],
  ],
  restore: [
    ['back.pass', 'pass_adj', 7, '>=', 0.92, 'none', 20, 'jobs pass again', '4 failures fewer in 7 days.'],
    ['back.timeout', 'timeout_rate', 7, '<', 0.01, 'none', 20, 'jobs that time out', '2 time-outs fewer in 7 days.'],
  ],
};

function valueOf(figure, one, next, tenure) {
  const good = one.good;
  switch (figure) {
    case 'tenure_l2':
    case 'tenure_l3':
      return { value: tenure, n: tenure };
    case 'events':
      return { value: Math.round(one.n / 5), n: Math.round(one.n / 5) };
    case 'days_with_data':
      return { value: Math.min(14, Math.round(one.n / 12)), n: 14 };
    case 'silence':
      return { value: one.gate === 'suspended' ? 31.5 : 1.2, n: Math.round(one.n / 5) };
    case 'e2e_p50':
      return { value: Math.round((1.1 + next()) * hour), n: Math.round(one.n / 5) };
    case 'queue_mean':
      return { value: Math.round((one.good < 0.8 ? 42 : 9 + 6 * next()) * 60_000), n: Math.round(one.n / 5) };
    case 'timeout_rate':
    case 'overrun_rate':
      return bounded(Math.round(one.n * (1 - good) * 0.14) / one.n, one.n);
    case 'flake_rate':
      return bounded(0.012, one.n);
    case 'invalid_rate':
    case 'false_alarm':
      return bounded(0.002, one.n);
    case 'device_named':
    case 'answered':
    case 'gate_coverage':
      return bounded(0.995, one.n);
    default:
      return bounded(Math.min(1, good), figure === 'pass_run' ? Math.round(one.n / 2.5) : one.n);
  }
}

function holds(comparison, value, target) {
  if (comparison === '<') return value < target;
  if (comparison === '<=') return value <= target;
  return comparison === '>' ? value > target : value >= target;
}

function weighed([id, figure, window, comparison, target, bound, least, text, advice], kind, one, now, tenure) {
  const next = chance(one.n + id.length * 31);
  const told = one.n === 0 && !figure.startsWith('tenure') ? bounded(0, 0) : valueOf(figure, one, next, tenure);
  const { value, n, lower = null, upper = null } = told;
  const compared = bound === 'lower' ? lower : bound === 'upper' ? upper : value;
  const met = value === null || n < least ? 'insufficient' : holds(comparison, compared, target) ? 'met' : 'missed';
  const evaluations = one.n === 0 ? 3 : 30;
  const trend = Array.from({ length: evaluations }, (_, index) => {
    const back = evaluations - 1 - index;
    const share = units[figure] === undefined;
    const drawn = value === null || back % 11 === 7 ? null : back === 0 ? compared : compared * (1 + (next() - 0.5) * (share ? 0.03 : 0.4));
    const kept = drawn === null ? null : figure.startsWith('tenure') ? Math.max(0, compared - back) : share ? Math.min(1, drawn) : units[figure] === 'hours' ? Math.round(drawn * 10) / 10 : Math.round(drawn);
    const said = kept === null ? 'insufficient' : back === 0 ? met : holds(comparison, kept, target) ? 'met' : 'missed';
    return { as_of: at(midnight(now) - back * day), value: kept, n, met: said };
  });
  return { id, kind, text, figure, window, comparison, target, unit: units[figure] ?? 'share', bound, measured: value, n, lower, upper, met, least, advice: met === 'met' ? '' : advice, trend };
}

const above = { L1: 'L2', L2: 'L3', L3: 'L4' };

function tenureOf(one) {
  return { 'meridian/tensor-vulkan': 44, 'kestrel/tensor-fpga': 61, 'tidal/tensor-wasm': 12, 'sable/tensor-dsp': 3 }[one.repo] ?? 133;
}

function criteria(one, now) {
  const tenure = tenureOf(one);
  const of = (list, kind) => list.map((ask) => weighed(ask, kind, one, now, tenure));
  const lowered = one.effective !== undefined;
  return {
    next: above[one.level] ? of(asks[above[one.level]], 'next') : [],
    demotion: one.level === 'L1' ? [] : [...of(asks.keep, 'demotion'), ...of(asks.watch, 'watch'), ...of(asks.at_once, 'at_once'), ...(lowered ? of(asks.restore, 'restore') : [])],
  };
}

function standing(one, now) {
  const { next, demotion } = criteria(one, now);
  const violated = demotion.filter(({ kind, met }) => kind !== 'restore' && met === 'missed');
  const met = next.filter((criterion) => criterion.met === 'met').length;
  const state = one.effective ? 'temporary' : one.repo === 'helix-ai/tensor-hx' ? 'watch' : 'ok';
  const ready = next.length > 0 && met === next.length;
  const missed = next.filter((criterion) => criterion.met !== 'met');
  const proposed = one.repo === 'meridian/tensor-vulkan';
  const since = state === 'temporary' ? 3 : state === 'watch' ? 1 : 40;
  return {
    upstream,
    repo: one.repo,
    device: one.device,
    ...leveled(one),
    state,
    since: one.n === 0 ? null : at(midnight(now) - since * day),
    as_of: one.n === 0 ? null : at(midnight(now)),
    reason:
      state === 'temporary'
        ? 'Jobs pass at 88.3 % of 196 over 7 days, at 2 evaluations in a row; 90 % are asked for.'
        : state === 'watch'
          ? 'Time-outs are 1.2 % of 410 jobs over 7 days; less than 1 % is asked for.'
          : '',
    rules: state === 'ok' ? [] : violated.map(({ id }) => id),
    violated: violated.length,
    insufficient: one.n < 20,
    frozen: '',
    streaks: { violated: state === 'ok' ? 0 : state === 'watch' ? 1 : 4, clean: state === 'ok' ? 40 : 0, ready: ready ? 6 : 0 },
    next_level: above[one.level] ?? null,
    met,
    asked: next.length,
    ready_for: ready ? above[one.level] : null,
    proposal: proposed
      ? { from: 'L2', to: 'L3', since: at(midnight(now) - 4 * day), reason: 'Every criterion of L3 is met, at 6 evaluations in a row.', pull_request: `https://github.com/${upstream}/pull/7100` }
      : null,
    earliest: one.repo === 'tidal/tensor-wasm' ? at(midnight(now) + 18 * day) : null,
    forecast: ready
      ? one.level === 'L3'
        ? 'Ready for L4: it is the upstream’s choice, and Baton never proposes it.'
        : 'It waits for the keepers of the list.'
      : one.repo === 'tidal/tensor-wasm'
        ? '30 days at L2 are over then; until then it needs 16 more events on 9 more days.'
        : missed.length > 0
          ? `${missed[0].id} stands in the way: ${missed[0].text}.`
          : '',
    tenure_days: tenureOf(one),
  };
}

function evaluation(now) {
  return { upstream, as_of: at(midnight(now)), next_at: at(midnight(now) + day), day_ms: day, profile, frozen: '' };
}

const order = { temporary: 0, watch: 1, ok: 3 };

export function levels({ now, upstream: only = '' }) {
  if (only && only !== upstream) return null;
  const rank = (line) => (line.state === 'ok' && line.proposal ? 2 : order[line.state]);
  const rows = backends
    .map((one) => standing(one, now))
    .sort((a, b) => rank(a) - rank(b) || b.level.localeCompare(a.level) || a.repo.localeCompare(b.repo));
  return { as_of: at(now), upstreams: [evaluation(now)], rows, stream_id: '1000' };
}

// The newest line of each downstream says what its badge says.
const moves = [
  [1, 'helix-ai/tensor-hx', 'watched', 'ok', 'watch', 'L4', 'L4', ['keep.timeout'], 'Time-outs are 1.2 % of 410 jobs over 7 days; less than 1 % is asked for.'],
  [3, 'openrisc/tensor-riscv', 'demoted', 'watch', 'temporary', 'L3', 'L2', ['keep.pass'], 'Jobs pass at 88.3 % of 196 over 7 days, at 2 evaluations in a row; 90 % are asked for.'],
  [4, 'openrisc/tensor-riscv', 'watched', 'ok', 'watch', 'L3', 'L3', ['keep.pass'], 'Jobs pass at 88.9 % of 189 over 7 days; 90 % are asked for.'],
  [4, 'meridian/tensor-vulkan', 'proposed', 'ok', 'ok', 'L2', 'L3', ['l3.tenure', 'l3.pass', 'l3.e2e_p50'], 'Every criterion of L3 is met, at 2 evaluations in a row.'],
  [9, 'lumen/tensor-photonic', 'frozen', 'ok', 'ok', 'L3', 'L3', [], 'The relay itself was unwell: 7.1 % of the day’s dispatches could not be sent.'],
  [19, 'helix-ai/tensor-hx', 'returned', 'temporary', 'ok', 'L3', 'L4', ['back.pass', 'back.timeout'], '3 clean evaluations in a row.'],
  [25, 'helix-ai/tensor-hx', 'demoted', 'ok', 'temporary', 'L4', 'L3', ['now.silence'], 'Silent for 75 hours while 31 events were sent.'],
  [31, 'meridian/tensor-vulkan', 'withdrawn', 'ok', 'ok', 'L2', 'L2', ['l3.queue'], 'The mean wait is 33 min over 14 days; less than 30 min is asked for.'],
  [40, 'lumen/tensor-photonic', 'relisted', 'ok', 'ok', 'L2', 'L3', [], 'The list changed its level from L2 to L3.'],
];

function ledger(now) {
  return [0, 1, 2, 3, 4].flatMap((turn) =>
    moves.map(([back, downstream, move, from_state, to_state, from_level, to_level, rules, reason], index) => {
      const one = backends.find(({ repo }) => repo === downstream);
      const made = criteria(one, now);
      const known = [...made.next, ...made.demotion];
      const as_of = midnight(now) - (back + turn * 60) * day;
      return {
        id: 400 - turn * moves.length - index,
        at: at(as_of + 4000),
        as_of: at(as_of),
        upstream,
        downstream,
        move,
        from_state,
        to_state,
        from_level,
        to_level,
        rules,
        reason,
        figures: known
          .filter(({ id }) => rules.includes(id))
          .map(({ kind, text, least, advice, trend, ...figure }) => figure),
        digest: sha(400 + index).repeat(2).slice(0, 64),
        profile: profile.label,
        actor: move === 'relisted' ? 'allowlist 7d1c52aa' : 'baton',
        pull_request: move === 'proposed' ? `https://github.com/${upstream}/pull/7100` : null,
      };
    }),
  );
}

export function levelTransitions({ now, downstream = '', cursor = '', limit = 20 }) {
  const all = ledger(now).filter((row) => (!downstream || row.downstream === downstream) && (!cursor || row.id < Number(cursor)));
  const rows = all.slice(0, Number(limit));
  return { as_of: at(now), rows, next: all.length > rows.length ? String(rows.at(-1).id) : null, stream_id: '1000' };
}

const evidence = {
  trunk: 'Red on trunk at 3f1c08aa too, where 4 of 6 others of other owners are red.',
  pull_request: 'Green on trunk; 2 others with green bases are red on the same head: lumen/tensor-photonic, borealis/tensor-npu.',
  alone: 'Green on trunk and nobody else is red; a newer head passed.',
  standing: 'Red on trunk for the same job; it counted once already that day.',
  overruled: 'mira said: the lab had no power.',
};

function exclusions(one, now) {
  const until = midnight(now);
  const rules = Object.keys(evidence);
  const count = one.n === 0 ? 0 : Math.min(20, Math.round(one.n * (1 - one.good) * 0.6));
  const newest = Array.from({ length: count }, (_, index) => {
    const rule = rules[index % rules.length];
    return {
      at: at(until - (index * 0.6 + 0.2) * day),
      number: index % 4 === 3 ? null : 4821 - index * 3,
      sha: sha(index + 40),
      event_type: index % 4 === 3 ? 'nightly' : 'pull_request',
      workflow: index % 6 === 5 ? '' : 'tensor-ci',
      job: index % 6 === 5 ? '' : ['ops-core', 'distributed', 'unit'][index % 3],
      outcome: index % 6 === 5 ? 'missing' : index % 5 === 2 ? 'infra' : 'test',
      rule,
      provisional: rule === 'alone' && index < 4,
      evidence: evidence[rule],
      link: index % 6 === 5 ? '' : `/job/${501 + index}`,
    };
  });
  const excludedBy = (rule) => newest.filter((one) => one.rule === rule).length;
  const by_rule = [
    ...rules.map((rule) => ({ rule, red: excludedBy(rule) + (rule === 'standing' ? 2 : 0), excluded: excludedBy(rule) })),
    { rule: 'unknown', red: 3, excluded: 0 },
  ].filter(({ red }) => red > 0);
  return { window: 14, from: at(until - 14 * day), until: at(until), excluded: count, decided: one.n * 2, by_rule: count ? by_rule : [], newest };
}

export function level({ now, name }) {
  const one = backends.find(({ repo }) => repo === name);
  if (!one) return null;
  const rates = [7, 14].map((window) => {
    const n = Math.round((one.n * window) / 7);
    return {
      window,
      raw: bounded(Math.max(0, one.good - 0.031), n),
      adjusted: bounded(one.good, n),
      run: bounded(Math.max(0, one.good - 0.008), Math.round(n / 5)),
      excluded: bounded(0.034, n),
    };
  });
  return {
    as_of: at(now),
    evaluation: evaluation(now),
    standing: standing(one, now),
    ...criteria(one, now),
    rates,
    exclusions: one.n === 0 ? null : exclusions(one, now),
    history: ledger(now).filter(({ downstream }) => downstream === name).slice(0, 20),
    stream_id: '1000',
  };
}
