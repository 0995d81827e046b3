// Examples of the overview and of one downstream.
import { at, backends, cellsOf, chance, day, downstream, jobs, minute, mix, rate, sha, upstream, windowDays, windowOf } from './world.mjs';

export function relay(now) {
  return {
    ready: true,
    mode: 'live',
    version: '0.6.0',
    started_at: at(now - 3.4 * day),
    parts: ['store', 'github', 'identity keys', 'allowlist'].map((name) => ({ name, ready: true, trouble: '' })),
    deliveries: 18_342,
    to_plan: 0,
    pending: 6,
    oldest_pending: at(now - 7 * minute),
    dead: 3,
    unknown_outcomes: 0,
    running_jobs: 14,
    checks_waiting: 1,
    letters_waiting: 0,
    dead_letters: 1,
    last_delivery_at: at(now - 12_000),
    refused_last_hour: 23,
    actions: true,
  };
}

export function overview({ now, window = '7d' }) {
  return {
    as_of: at(now),
    window: windowOf(window, now),
    relay: relay(now),
    attention: [
      {
        kind: 'dead_dispatches',
        severity: 'high',
        text: '3 dispatches were given up after every try failed',
        subject: 'dispatches',
        page: '/dead',
        since: at(now - 52 * minute),
        key: 'dead_dispatches',
        acknowledged: null,
      },
      {
        kind: 'refused',
        severity: 'medium',
        text: '19 reports of helix-ai/tensor-hx refused in the last hour: callback token',
        subject: 'helix-ai/tensor-hx',
        page: '/refused?downstream=helix-ai%2Ftensor-hx',
        since: at(now - 44 * minute),
        key: 'refused helix-ai/tensor-hx',
        acknowledged: null,
      },
      {
        kind: 'failing',
        severity: 'medium',
        text: 'kestrel/tensor-fpga passes 71 % of its jobs, 94 % the week before',
        subject: 'kestrel/tensor-fpga',
        page: '/b/kestrel/tensor-fpga',
        since: at(now - 2 * day),
        key: 'failing kestrel/tensor-fpga',
        acknowledged: null,
      },
      {
        kind: 'checks_given_up',
        severity: 'low',
        text: 'One check of a closed pull request could not be posted',
        subject: 'checks',
        page: '/dead',
        since: null,
        key: 'checks_given_up',
        acknowledged: null,
      },
      {
        kind: 'gate_suspended',
        severity: 'high',
        text: 'helix-ai/tensor-hx does not count for the gate: 9 dispatches in a row stayed silent',
        subject: 'helix-ai/tensor-hx',
        page: '/b/helix-ai/tensor-hx',
        since: at(now - 190 * minute),
        key: 'gate_suspended helix-ai/tensor-hx',
        acknowledged: {
          by: 'release duty (ann)',
          at: at(now - 90 * minute),
          until: at(now + 2 * day),
          reason: 'their lab moves until Thursday',
        },
      },
    ],
    downstreams: backends.map((backend) => downstream(backend, window, now)),
    upstreams: [upstream],
    stream_id: '1000',
  };
}

export function backend({ now, name, window = '7d' }) {
  const one = backends.find(({ repo }) => repo === name);
  if (!one) return null;
  const next = chance(one.n + 5);
  const days = [];
  for (let back = windowDays(window) - 1; back >= 0; back -= 1) {
    const moment = now - back * day;
    if (one.n === 0 || (back > 0 && back % 9 === 4)) continue; // a day without runs
    const cells = cellsOf({ good: Math.min(1, one.good + (next() - 0.6) * 0.1), n: Math.round((one.n / 7) * (0.6 + next() * 0.8)) });
    const n = cells.success + cells.flaky + cells.failure + cells.timed_out;
    days.push({
      day: at(moment).slice(0, 10),
      cells,
      rate: rate(cells.success + cells.flaky, n),
      silent: one.gate === 'suspended' ? Math.floor(next() * 4) : 0,
    });
  }
  const spread = (n, base) =>
    n === 0
      ? { n: 0, p50_ms: null, p90_ms: null, p95_ms: null, p99_ms: null }
      : { n, p50_ms: base, p90_ms: (base * 2.2) | 0, p95_ms: (base * 3.1) | 0, p99_ms: (base * 7) | 0 };
  const steps = ['listed', 'dispatched', 'first_report', 'first_result', 'token_bound', 'pinned'];
  return {
    as_of: at(now),
    window: windowOf(window, now),
    downstream: downstream(one, window, now),
    platforms: one.repo === 'borealis/tensor-npu' ? [{ id: 'tessera-tx1-linux', name: 'Tessera TX1 (Linux)' }] : [],
    oncall: one.level === 'L4' ? ['ingrid', 'oncall-npu'] : [],
    queue: spread(one.n, 38_400),
    run: spread(one.n, 741_000),
    days,
    worst_jobs:
      one.n === 0
        ? []
        : [
            ['ops-core', 0.05],
            ['distributed', 0.035],
            ['compile', 0.02],
          ].map(([name, bad]) => {
            const cells = cellsOf({ good: 1 - bad * (one.good < 0.9 ? 5 : 1), n: Math.round(one.n / 8) });
            const n = cells.success + cells.flaky + cells.failure + cells.timed_out;
            return { workflow: 'tensor-ci', job: name, cells, rate: rate(cells.success + cells.flaky, n) };
          }),
    gate_reason: one.gate === 'suspended' ? '9 dispatches in a row stayed silent. It counts again after 3 in a row that answer.' : '',
    onboarding: steps.map((step, index) => ({
      step,
      done: one.n > 0 ? index < 5 || one.level === 'L4' : index < 2,
      at: (one.n > 0 ? index < 5 || one.level === 'L4' : index < 2) ? at(now - (60 - index) * day) : null,
      hint:
        step === 'pinned'
          ? 'Run `baton downstream repin` once, so that a renamed repository cannot take its place.'
          : step === 'first_report'
            ? 'Let a job run `baton report`; docs/onboarding.md has it for four CI systems.'
            : 'It follows from the step before.',
    })),
    stream_id: '1000',
  };
}

export function grid({ now, name, event = 'pull_request', cursor = '', rows = 40, columns = jobs.length }) {
  const one = backends.find(({ repo }) => repo === name);
  if (!one) return null;
  const start = cursor ? Number(cursor) : 0;
  const names = Array.from({ length: columns }, (_, index) => ({
    workflow: index < jobs.length ? 'tensor-ci' : 'tensor-nightly',
    job: jobs[index] ?? `shard-${index}`,
  }));
  const made =
    one.n === 0
      ? []
      : Array.from({ length: rows }, (_, index) => {
          const seed = start + index;
          const next = chance(seed + one.n);
          const cells = names.map((_, column) =>
            seed === 0 && column > 8 ? 'running' : next() < 0.03 ? null : next() < one.good ? 'success' : mix[9 + Math.floor(next() * 6)],
          );
          return {
            number: event === 'pull_request' ? 4821 - seed : null,
            sha: sha(seed),
            event_type: event,
            at: at(now - seed * 13 * minute - 40_000),
            cells,
            attempts: cells.map((cell) => (cell === null ? 0 : cell === 'flaky' ? 2 : 1)),
            jobs: cells.map((cell, column) => (cell === null ? null : 1000 + seed * 20 + column)),
          };
        });
  return {
    as_of: at(now),
    stream_id: '1000',
    more_columns: false,
    upstream,
    repo: name,
    columns: made.length ? names : [],
    rows: made,
    next: start === 0 && made.length ? String(rows) : null,
  };
}
