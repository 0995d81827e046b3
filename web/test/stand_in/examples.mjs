// Answers of a relay that does not run: seeded, so that every run shows the same. test/unit/examples.test.mjs holds them to openapi.json.
// `now` is the relay's clock. Rates come from the same formula that the relay uses, so that the pages look as they will.

export const upstream = 'acme/tensor';
const day = 86_400_000;
const minute = 60_000;

const backends = [
  { repo: 'borealis/tensor-npu', level: 'L4', device: 'npu910', good: 0.985, n: 640, gate: 'counted' },
  { repo: 'helix-ai/tensor-hx', level: 'L4', device: 'hx2', good: 0.91, n: 410, gate: 'suspended' },
  { repo: 'openrisc/tensor-riscv', level: 'L3', device: 'rv64gcv', good: 0.88, n: 196, gate: 'not_counted' },
  { repo: 'lumen/tensor-photonic', level: 'L3', device: 'lx1', good: 0.997, n: 388, gate: 'not_counted' },
  { repo: 'kestrel/tensor-fpga', level: 'L2', device: 'u280', good: 0.71, n: 122, gate: 'not_counted' },
  { repo: 'meridian/tensor-vulkan', level: 'L2', device: 'vulkan', good: 0.96, n: 254, gate: 'not_counted' },
  { repo: 'tidal/tensor-wasm', level: 'L2', device: 'wasm', good: 0.93, n: 14, gate: 'not_counted' },
  { repo: 'sable/tensor-dsp', level: 'L1', device: 'q6', good: 0, n: 0, gate: 'not_counted' },
];
export const downstreamNames = backends.map(({ repo }) => repo);
const jobs = ['build', 'unit', 'ops-core', 'ops-nn', 'autograd', 'distributed', 'compile', 'quantize', 'export', 'serialization', 'bench-smoke', 'docs'];
const authors = ['mira', 'tomasz', 'yuki', 'aled', 'priya', 'jonas', 'sofia'];

export function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const at = (moment) => new Date(moment).toISOString();
const sha = (seed) => { const next = chance(seed * 7919 + 3); return Array.from({ length: 40 }, () => Math.floor(next() * 16).toString(16)).join(''); };
const uuid = (seed) => { const text = sha(seed); return `${text.slice(0, 8)}-${text.slice(8, 12)}-11f0-${text.slice(12, 16)}-${text.slice(16, 28)}`; };

export function rate(good, n) {
  if (n === 0) return { value: null, n: 0, low: null, high: null, few: true };
  const p = good / n;
  const z = 1.959964;
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return { value: p, n, low: Math.max(0, middle - half), high: Math.min(1, middle + half), few: n < 20 };
}

function cellsOf({ good, n }, share = 1) {
  const all = Math.round(n * share);
  const bad = Math.round(all * (1 - good));
  const flaky = Math.min(all - bad, Math.round(all * 0.012));
  const late = Math.floor(bad / 6);
  return { success: all - bad - flaky, flaky, failure: bad - late, timed_out: late, no_signal: Math.round(all * 0.04) };
}

const windowDays = (name) => Number(name.replace('d', ''));

export function windowOf(name, now) {
  const until = Math.floor(now / day) * day + day;
  return { name, from: at(until - windowDays(name) * day), until: at(until) };
}

function downstream(backend, window, now) {
  const cells = cellsOf(backend, windowDays(window) / 7);
  const n = cells.success + cells.flaky + cells.failure + cells.timed_out;
  const waiting = backend.repo === 'kestrel/tensor-fpga';
  return {
    upstream, repo: backend.repo, level: backend.level, device: backend.device, gate: backend.gate,
    paused_until: waiting ? at(now + 4 * minute) : null, suspended: false,
    rates: { final: rate(cells.success + cells.flaky, n), first_attempt: rate(cells.success, n), compat: rate(cells.success, n + cells.no_signal) },
    cells, silent: backend.gate === 'suspended' ? 9 : 0, pending: waiting ? 6 : 0, running: backend.n > 200 ? 3 : 0,
    last_result_at: backend.n === 0 ? null : at(now - (backend.gate === 'suspended' ? 190 : 4) * minute), last_sent_at: at(now - 2 * minute),
    trouble: waiting ? 'GitHub answered 502 to the last 3 tries; the next is in 4 min' : '',
  };
}

export function relay(now) {
  return {
    ready: true, mode: 'live', version: '0.6.0', started_at: at(now - 3.4 * day),
    parts: ['store', 'github', 'identity keys', 'allowlist'].map((name) => ({ name, ready: true, trouble: '' })),
    deliveries: 18_342, to_plan: 0, pending: 6, oldest_pending: at(now - 7 * minute), dead: 3, unknown_outcomes: 0, running_jobs: 14,
    checks_waiting: 1, letters_waiting: 0, dead_letters: 1,
  };
}

export function overview({ now, window = '7d' }) {
  return {
    as_of: at(now), window: windowOf(window, now), relay: relay(now),
    attention: [
      { kind: 'gate_suspended', severity: 'high', text: 'helix-ai/tensor-hx does not count for the gate: 9 dispatches in a row stayed silent', subject: 'helix-ai/tensor-hx', page: '/b/helix-ai/tensor-hx', since: at(now - 190 * minute) },
      { kind: 'dead_dispatches', severity: 'high', text: '3 dispatches were given up after every try failed', subject: 'dispatches', page: '/dead', since: at(now - 52 * minute) },
      { kind: 'failing', severity: 'medium', text: 'kestrel/tensor-fpga passes 71 % of its jobs, 94 % the week before', subject: 'kestrel/tensor-fpga', page: '/b/kestrel/tensor-fpga', since: at(now - 2 * day) },
      { kind: 'checks_given_up', severity: 'low', text: 'One check of a closed pull request could not be posted', subject: 'checks', page: '/dead', since: null },
    ],
    downstreams: backends.map((backend) => downstream(backend, window, now)), upstreams: [upstream], stream_id: '1000',
  };
}

const mix = ['success', 'success', 'success', 'success', 'success', 'success', 'success', 'success', 'success', 'flaky', 'failure', 'running', 'timed_out', 'cancelled', 'skipped'];

function outcomeOn(backend, next) {
  if (backend.n === 0) return 'waiting';
  if (backend.gate === 'suspended') return next() < 0.6 ? 'silent' : 'success';
  if (next() < backend.good * 0.8) return 'success';
  return mix[Math.floor(next() * mix.length)];
}

export function pulls({ now, state = 'open', author = '', cursor = '', limit = 50 }) {
  const start = cursor ? Number(cursor) : 0;
  const rows = Array.from({ length: 34 }, (_, index) => {
    const seed = start + index;
    const next = chance(seed + 11);
    return {
      upstream, number: 4821 - seed, open: seed % 5 !== 4, draft: seed % 7 === 3, author: authors[seed % authors.length], head: sha(seed), updated_at: at(now - seed * 13 * minute - 40_000),
      backends: backends.map((backend) => ({ repo: backend.repo, level: backend.level, outcome: seed === 0 && backend.level === 'L4' ? (backend.gate === 'suspended' ? 'silent' : 'failure') : outcomeOn(backend, next) })),
    };
  }).filter((row) => (state === 'all' || row.open === (state === 'open')) && (!author || row.author === author)).slice(0, limit);
  return { as_of: at(now), rows, next: start === 0 && !author && limit >= 34 ? '34' : null, stream_id: '1000' };
}

function job(id, name, outcome, now, extra = {}) {
  const running = outcome === 'running';
  const started = now - 31 * minute + (id % 9) * minute;
  const ran = (4 + (id % 13)) * minute + (id % 60) * 1000;
  const failed = outcome === 'failure' ? 2 : 0;
  return {
    id, workflow: 'tensor-ci', job: name, run_id: String(9_000_000 + id), attempt: 1, status: running ? 'in_progress' : 'completed', conclusion: running ? null : outcome,
    said_by: outcome === 'timed_out' ? 'relay' : 'downstream', counts: true, url: `https://ci.example.org/runs/${9_000_000 + id}`,
    tests: running || outcome === 'timed_out' ? null : { passed: 1200 + (id % 300), failed, skipped: 31, total: 1231 + failed + (id % 300) },
    dispatched_at: at(started - 48_000), started_at: at(started), completed_at: running ? null : at(started + ran), queue_ms: 48_000, run_ms: running ? null : ran, skewed: false, ...extra,
  };
}

function cell(name, outcome, id, now) {
  if (outcome === 'flaky') return { workflow: 'tensor-ci', job: name, outcome, attempts: [job(id, name, 'failure', now), job(id + 1, name, 'success', now, { attempt: 2, queue_ms: null })] };
  return { workflow: 'tensor-ci', job: name, outcome, attempts: [job(id, name, outcome, now)] };
}

const failedTests = (id) => [
  { name: 'test_ops.TestCommon::test_out_warning_index_add_npu_float32', message: 'AssertionError: Tensor-likes are not close!\n\nMismatched elements: 3 / 512 (0.6%)\nGreatest absolute difference: 0.0014 at index (2, 17) (up to 1e-05 allowed)', job: id },
  { name: 'test_ops.TestCommon::test_dtypes_scatter_reduce_npu', message: 'RuntimeError: scatter_reduce: dtype bfloat16 is not supported on npu910', job: id },
];

export function pull({ now, number = 4821, head = '' }) {
  const heads = [0, 900, 901].map((seed, index) => ({ sha: sha(seed), first_seen: at(now - (38 + index * 340) * minute), current: index === 0 }));
  const shown = heads.find((one) => head && one.sha.startsWith(head)) ?? heads[0];
  const told = (backend, outcome, reason, state, cells, tests = []) => ({
    repo: backend.repo, level: backend.level, device: backend.device, blocking: backend.gate === 'counted', outcome, reason, state, dispatched_at: at(now - 37 * minute), cells, failed_tests: tests,
  });
  const named = (from, to, outcome, id) => jobs.slice(from, to).map((name, index) => cell(name, outcome, id + index * 3, now));
  const list = [
    told(backends[0], 'failure', 'ops-core failed: 2 of 1,402 tests', 'finished', [cell('ops-core', 'failure', 501, now), cell('distributed', 'running', 502, now), cell('autograd', 'flaky', 503, now), ...named(0, 2, 'success', 510)], failedTests(501)),
    told(backends[1], 'silent', 'Sent 37 min ago and nobody started; its part of the gate is suspended', 'sent', []),
    told(backends[2], 'running', '', 'started', [cell('build', 'success', 530, now), cell('unit', 'running', 531, now)]),
    told(backends[3], 'success', '', 'finished', named(0, 5, 'success', 540)),
    told(backends[4], 'waiting', 'GitHub answered 502 three times; the next try is in 4 min', 'pending', []),
    told(backends[5], 'success', '', 'finished', named(0, 6, 'success', 560)),
    told(backends[6], 'timed_out', 'The relay ended it: no report for 2 h', 'finished', [cell('unit', 'timed_out', 580, now)]),
    told(backends[7], 'waiting', 'L1 hears of events and reports nothing', 'sent', []),
  ];
  const id = uuid(1);
  const event = (ago, kind, downstream, text) => ({ at: at(now - ago * minute), kind, delivery: id, downstream, text });
  return {
    as_of: at(now), upstream, number, open: true, draft: false, author: 'mira', labels: ['module: sparse', 'ciflow/oot'], sha: shown.sha, heads,
    verdict: { merge: 'blocked', text: 'borealis/tensor-npu failed ops-core 9 min ago; nobody else holds it up' },
    gate: { name: 'crcr/gate', status: 'completed', conclusion: 'failure', title: '1 of 2 counted downstreams failed', on_github: true, trouble: '' },
    backends: list,
    checks: [
      { name: 'crcr/borealis/tensor-npu', status: 'completed', conclusion: 'failure', title: 'ops-core failed: 2 of 1,402 tests', on_github: true, trouble: '' },
      { name: 'crcr/openrisc/tensor-riscv', status: 'in_progress', conclusion: null, title: '1 of 2 jobs passed', on_github: false, trouble: 'GitHub answered 502; the next try is in 20 s' },
    ],
    timeline: [
      event(38, 'received', '', 'pull_request synchronize'), event(37.9, 'planned', '', '8 downstreams, 1 of them counted'),
      event(37.6, 'sent', 'borealis/tensor-npu', 'GitHub took it at the first try'), event(37.5, 'sent', 'lumen/tensor-photonic', 'GitHub took it at the first try'),
      event(37.2, 'attempt_failed', 'kestrel/tensor-fpga', 'GitHub answered 502'), event(35, 'started', 'borealis/tensor-npu', 'tensor-ci, run 9000501'),
      event(18, 'finished', 'lumen/tensor-photonic', '5 jobs passed'), event(9, 'failed', 'borealis/tensor-npu', 'ops-core failed, 2 tests'),
    ],
    github_url: `https://github.com/${upstream}/pull/${number}`, stream_id: '1000',
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
    days.push({ day: at(moment).slice(0, 10), cells, rate: rate(cells.success + cells.flaky, n), silent: one.gate === 'suspended' ? Math.floor(next() * 4) : 0 });
  }
  const spread = (n, base) => (n === 0 ? { n: 0, p50_ms: null, p90_ms: null, p95_ms: null, p99_ms: null } : { n, p50_ms: base, p90_ms: base * 2.2 | 0, p95_ms: base * 3.1 | 0, p99_ms: base * 7 | 0 });
  const steps = ['listed', 'dispatched', 'first_report', 'first_result', 'token_bound', 'pinned'];
  return {
    as_of: at(now), window: windowOf(window, now), downstream: downstream(one, window, now), oncall: one.level === 'L4' ? ['ingrid', 'oncall-npu'] : [], queue: spread(one.n, 38_400), run: spread(one.n, 741_000), days,
    worst_jobs: one.n === 0 ? [] : [['ops-core', 0.05], ['distributed', 0.035], ['compile', 0.02]].map(([name, bad]) => { const cells = cellsOf({ good: 1 - bad * (one.good < 0.9 ? 5 : 1), n: Math.round(one.n / 8) }); const n = cells.success + cells.flaky + cells.failure + cells.timed_out; return { workflow: 'tensor-ci', job: name, cells, rate: rate(cells.success + cells.flaky, n) }; }),
    gate_reason: one.gate === 'suspended' ? '9 dispatches in a row stayed silent. It counts again after 3 in a row that answer.' : '',
    onboarding: steps.map((step, index) => ({ step, done: one.n > 0 ? index < 5 || one.level === 'L4' : index < 2, at: (one.n > 0 ? index < 5 || one.level === 'L4' : index < 2) ? at(now - (60 - index) * day) : null, hint: step === 'pinned' ? 'Run `baton downstream repin` once, so that a renamed repository cannot take its place.' : step === 'first_report' ? 'Let a job run `baton report`; docs/onboarding.md has it for four CI systems.' : 'It follows from the step before.' })),
    stream_id: '1000',
  };
}

export function grid({ now, name, event = 'pull_request', cursor = '', rows = 40, columns = jobs.length }) {
  const one = backends.find(({ repo }) => repo === name);
  if (!one) return null;
  const start = cursor ? Number(cursor) : 0;
  const names = Array.from({ length: columns }, (_, index) => ({ workflow: index < jobs.length ? 'tensor-ci' : 'tensor-nightly', job: jobs[index] ?? `shard-${index}` }));
  const made = one.n === 0 ? [] : Array.from({ length: rows }, (_, index) => {
    const seed = start + index;
    const next = chance(seed + one.n);
    const cells = names.map((_, column) => (seed === 0 && column > 8 ? 'running' : next() < 0.03 ? null : next() < one.good ? 'success' : mix[9 + Math.floor(next() * 6)]));
    return { number: event === 'pull_request' ? 4821 - seed : null, sha: sha(seed), event_type: event, at: at(now - seed * 13 * minute - 40_000), cells, attempts: cells.map((cell) => (cell === null ? 0 : cell === 'flaky' ? 2 : 1)), jobs: cells.map((cell, column) => (cell === null ? null : 1000 + seed * 20 + column)) };
  });
  return { as_of: at(now), upstream, repo: name, columns: made.length ? names : [], rows: made, next: start === 0 && made.length ? String(rows) : null };
}

export function jobDetail({ now, id }) {
  return { as_of: at(now), upstream, downstream: 'borealis/tensor-npu', number: 4821, sha: sha(0), event_type: 'pull_request', job: job(id, 'ops-core', 'failure', now), failed_tests: failedTests(id), environment: { driver: '24.1.rc3', runner: 'npu-pool-07', os: 'openEuler 22.03', toolkit: '8.0.RC1' } };
}

export function deliveries({ now, event = '', number = '', cursor = '' }) {
  const start = cursor ? Number(cursor) : 0;
  const kinds = [['pull_request', 'synchronize'], ['pull_request', 'opened'], ['push', ''], ['pull_request', 'labeled'], ['check_run', 'rerequested']];
  const rows = Array.from({ length: 40 }, (_, index) => {
    const seed = start + index;
    const [kind, action] = kinds[seed % kinds.length];
    return { sequence: 18_342 - seed, id: uuid(seed + 1), event: kind, action, repository: upstream, number: kind === 'push' ? null : 4821 - (seed % 30), sha: sha(seed), received_at: at(now - seed * 3.7 * minute - 12_000), state: seed === 0 ? 'to_plan' : 'planned', body_bytes: 18_000 + ((seed * 977) % 9000) };
  }).filter((row) => (!event || row.event === event) && (!number || String(row.number) === number));
  return { as_of: at(now), rows, next: start === 0 && !event && !number ? '40' : null, stream_id: '1000' };
}

export function delivery({ now, id }) {
  const received = now - 38 * minute;
  const dispatch = (index, state, reason, more = {}) => ({
    id: 70 + index, delivery: id, downstream: backends[index].repo, upstream, generation: 1, level: backends[index].level, state, reason, created_at: at(received + 300), due_at: at(received + 300), sent_at: ['dead', 'failed', 'pending'].includes(state) ? null : at(received + 420 + index * 60),
    attempts: [{ number: 1, started_at: at(received + 350), ended_at: at(received + 500), outcome: 'accepted', status: 204, detail: '' }], jobs: [], ...more,
  });
  const tries = [1, 2, 3].map((number) => ({ number, started_at: at(received + number * 20_000), ended_at: at(received + number * 20_000 + 900), outcome: 'failed', status: 502, detail: 'bad gateway' }));
  return {
    as_of: at(now), delivery: { sequence: 18_342, id, event: 'pull_request', action: 'synchronize', repository: upstream, number: 4821, sha: sha(0), received_at: at(received), state: 'planned', body_bytes: 21_344 },
    dispatches: [dispatch(0, 'finished', '', { jobs: [job(501, 'ops-core', 'failure', now), job(510, 'unit', 'success', now)] }), dispatch(3, 'finished', '', { jobs: [job(540, 'build', 'success', now)] }), dispatch(1, 'sent', ''), dispatch(4, 'dead', 'Every try failed; the last answer was 502', { attempts: tries })],
    ledger: [['received', 0, 'X-Hub-Signature-256 is good'], ['planned', 240, '4 dispatches; 4 downstreams do not listen to synchronize'], ['sent', 480, 'borealis/tensor-npu'], ['attempt_failed', 20_900, 'kestrel/tensor-fpga: 502'], ['dead', 61_000, 'kestrel/tensor-fpga: given up after 3 tries'], ['finished', 1_700_000, 'borealis/tensor-npu: 1 of 2 jobs failed']].map(([kind, after, detail], index) => ({ sequence: index + 1, at: at(received + after), kind, detail })),
  };
}

export function dead({ now, empty = false }) {
  if (empty) return { as_of: at(now), dispatches: [], letters: [], more: false };
  return {
    as_of: at(now), more: false,
    dispatches: [1, 2, 3].map((n) => ({ id: n, delivery: uuid(n), downstream: n === 3 ? 'sable/tensor-dsp' : 'kestrel/tensor-fpga', upstream, state: n === 3 ? 'failed' : 'dead', reason: n === 3 ? 'The App is not installed there (404). Install it, then send again.' : 'Every try failed; the last answer was 502 bad gateway', created_at: at(now - (40 + n * 12) * minute), attempts: n === 3 ? 1 : 12 })),
    letters: [{ id: 9, sink: 'checks', lane: `${upstream}#4790`, created_at: at(now - 3 * day), died_at: at(now - 2 * day), attempts: 20, detail: 'GitHub answered 422: head_sha is gone' }],
  };
}
