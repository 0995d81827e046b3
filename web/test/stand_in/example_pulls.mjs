// Examples about pull requests and their jobs.
import { at, authors, backends, chance, gateRule, jobs, leveled, minute, mix, sha, upstream, uuid } from './world.mjs';

const titles = [
  'Sparse: add index_add for CSR tensors',
  'Fix the stride of empty views in reshape',
  'Autograd: free saved tensors early',
  'Speed up cat on the innermost dimension by copying rows at once',
  'Docs: what a device has to implement',
];

function outcomeOn(backend, next) {
  if (backend.n === 0) return 'delivered';
  if (backend.gate === 'suspended') return next() < 0.6 ? 'silent' : 'success';
  if (next() < backend.good * 0.8) return 'success';
  return mix[Math.floor(next() * mix.length)];
}

const stands = { failing: ['failure', 'timed_out', 'undelivered'], waiting: ['waiting', 'running'], silent: ['silent'] };

// A page is short, so that there is a second one; a test that names a total gets pages as large as it asks for.
export function pulls({ now, state = 'open', author = '', cursor = '', limit = 50, total = 0, standing = 'any', level = 'L1' }) {
  const start = cursor ? Number(cursor) : 0;
  const end = Math.min(total || 68, start + (total ? limit : 34));
  const rows = Array.from({ length: end - start }, (_, index) => {
    const seed = start + index;
    const next = chance(seed + 11);
    return {
      upstream,
      number: (total || 4822) - 1 - seed,
      open: seed % 5 !== 4,
      draft: seed % 7 === 3,
      author: authors[seed % authors.length],
      head: sha(seed),
      title: seed % 6 === 5 ? '' : titles[seed % titles.length],
      updated_at: at(now - seed * 13 * minute - 40_000),
      backends: backends.map((backend) => ({
        repo: backend.repo,
        ...leveled(backend),
        outcome: seed === 0 && backend.level === 'L4' ? (backend.gate === 'suspended' ? 'silent' : 'failure') : outcomeOn(backend, next),
      })),
    };
  })
    .filter(({ backends: list }) => standing === 'any' || list.some((one) => one.level >= level && stands[standing].includes(one.outcome)))
    .filter((row) => (state === 'all' || row.open === (state === 'open')) && (!author || row.author === author))
    .slice(0, limit);
  const more = end < (total || 68) && !author && (total || limit >= 34);
  return { as_of: at(now), rows, next: more ? String(end) : null, stream_id: '1000' };
}

// Downstreams run where they like; what a run's page is called is its provider's affair.
const runPage = (id) =>
  [
    `https://github.com/borealis/tensor-npu/actions/runs/${9_000_000 + id}/job/${id}`,
    `https://buildkite.com/tensor/ci/builds/${id}#0197-${id}`,
    `https://gitlab.example.org/lumen/tensor/-/jobs/${9_000_000 + id}`,
    `https://jenkins.example.org:8443/job/tensor%20ci/${id}/console`,
  ][id % 4];

export function job(id, name, outcome, now, extra = {}) {
  const running = outcome === 'running';
  const started = now - 31 * minute + (id % 9) * minute;
  const ran = (4 + (id % 13)) * minute + (id % 60) * 1000;
  const failed = outcome === 'failure' ? 2 : 0;
  return {
    id,
    workflow: 'tensor-ci',
    job: name,
    run_id: String(9_000_000 + id),
    attempt: 1,
    status: running ? 'in_progress' : 'completed',
    conclusion: running ? null : outcome,
    said_by: outcome === 'timed_out' ? 'relay' : 'downstream',
    counts: true,
    url: runPage(id),
    tests:
      running || outcome === 'timed_out' ? null : { passed: 1200 + (id % 300), failed, skipped: 31, total: 1231 + failed + (id % 300) },
    dispatched_at: at(started - 48_000),
    started_at: at(started),
    completed_at: running ? null : at(started + ran),
    queue_ms: 48_000,
    run_ms: running ? null : ran,
    skewed: false,
    ...extra,
  };
}

const attributions = {
  failure: {
    verdict: 'pr',
    confidence: 'high',
    evidence: [
      {
        rule: 'together',
        verdict: 'pr',
        weight: 6,
        text: 'The same failure on this commit at 2 downstreams of different owners',
        link: '/clusters/00c0ffee00c0ffee',
      },
    ],
    would_change: 'The same failure on trunk would make it trunk.',
  },
  flaky: {
    verdict: 'flake',
    confidence: 'high',
    evidence: [{ rule: 'passed_again', verdict: 'flake', weight: 8, text: 'It passed and failed on this commit', link: '' }],
    would_change: 'Nothing: it passed on this very commit.',
  },
};

function cell(name, outcome, id, now) {
  const attempts =
    outcome === 'flaky'
      ? [job(id, name, 'failure', now), job(id + 1, name, 'success', now, { attempt: 2, queue_ms: null })]
      : [job(id, name, outcome, now)];
  const there = { sha: sha(77), event_type: 'nightly', at: at(now - 600 * minute), outcome: 'success', job: 77 };
  return {
    workflow: 'tensor-ci',
    job: name,
    outcome,
    attempts,
    against_base: outcome === 'failure' ? { state: 'new', compared_to: there } : null,
    attribution: attributions[outcome] ?? null,
  };
}

export const failedTests = (id) => [
  {
    name: 'test_ops.TestCommon::test_out_warning_index_add_npu_float32',
    message:
      'AssertionError: Tensor-likes are not close!\n\nMismatched elements: 3 / 512 (0.6%)\nGreatest absolute difference: 0.0014 at index (2, 17) (up to 1e-05 allowed)',
    job: id,
    cluster: '00c0ffee00c0ffee',
    also_in: 1,
    seen_before: 0,
  },
  {
    name: 'test_ops.TestCommon::test_dtypes_scatter_reduce_npu',
    message: 'RuntimeError: scatter_reduce: dtype bfloat16 is not supported on npu910',
    job: id,
    cluster: null,
    also_in: 0,
    seen_before: 0,
  },
];

export function pull({ now, number = 4821, head = '' }) {
  const heads = [0, 900, 901].map((seed, index) => ({
    sha: sha(seed),
    first_seen: at(now - (38 + index * 340) * minute),
    current: index === 0,
  }));
  const shown = heads.find((one) => head && one.sha.startsWith(head)) ?? heads[0];
  const told = (backend, outcome, reason, state, cells, tests = []) => ({
    repo: backend.repo,
    ...leveled(backend),
    device: backend.device,
    blocking: backend.gate === 'counted',
    blocking_unknown: false,
    gate_rule: backend.gate === 'counted' ? gateRule : '',
    outcome,
    reason,
    state,
    dispatched_at: at(now - 37 * minute),
    cells,
    failed_tests: tests,
  });
  const named = (from, to, outcome, id) => jobs.slice(from, to).map((name, index) => cell(name, outcome, id + index * 3, now));
  const list = [
    told(
      backends[0],
      'failure',
      'ops-core failed: 2 of 1,402 tests',
      'finished',
      [
        cell('ops-core', 'failure', 501, now),
        cell('distributed', 'running', 502, now),
        cell('autograd', 'flaky', 503, now),
        ...named(0, 2, 'success', 510),
      ],
      failedTests(501),
    ),
    told(backends[1], 'silent', 'Sent 37 min ago and nobody started; its part of the gate is suspended', 'sent', []),
    told(backends[2], 'running', '', 'started', [cell('build', 'success', 530, now), cell('unit', 'running', 531, now)]),
    told(backends[3], 'success', '', 'finished', named(0, 5, 'success', 540)),
    told(backends[4], 'waiting', 'GitHub answered 502 three times; the next try is in 4 min', 'pending', []),
    told(backends[5], 'success', '', 'finished', named(0, 6, 'success', 560)),
    told(backends[6], 'timed_out', 'The relay ended it: no report for 2 h', 'finished', [cell('unit', 'timed_out', 580, now)]),
    told(backends[7], 'delivered', 'L1 hears of events and reports nothing', 'sent', []),
  ];
  const id = uuid(1);
  const event = (ago, kind, downstream, text) => ({ at: at(now - ago * minute), kind, delivery: id, downstream, text });
  return {
    as_of: at(now),
    upstream,
    number,
    open: true,
    draft: false,
    author: 'mira',
    title: number === 4821 ? titles[0] : titles[number % titles.length],
    labels: ['module: sparse', 'ciflow/oot'],
    sha: shown.sha,
    heads,
    verdict: { merge: 'blocked', text: 'borealis/tensor-npu failed ops-core 9 min ago; nobody else holds it up' },
    gate: {
      name: 'crcr/gate',
      status: 'completed',
      conclusion: 'failure',
      title: '1 of 2 counted downstreams failed',
      on_github: true,
      trouble: '',
    },
    backends: list,
    checks: [
      {
        name: 'crcr/borealis/tensor-npu',
        status: 'completed',
        conclusion: 'failure',
        title: 'ops-core failed: 2 of 1,402 tests',
        on_github: true,
        trouble: '',
      },
      {
        name: 'crcr/openrisc/tensor-riscv',
        status: 'in_progress',
        conclusion: null,
        title: '1 of 2 jobs passed',
        on_github: false,
        trouble: 'GitHub answered 502; the next try is in 20 s',
      },
    ],
    withheld: [{ repo: 'sable/tensor-dsp', level: 'L1', reason: 'suspended: new racks (by mira on the command line)' }],
    timeline: [
      event(38, 'received', '', 'pull_request synchronize'),
      event(37.9, 'planned', '', '8 downstreams, 1 of them counted'),
      event(37.6, 'sent', 'borealis/tensor-npu', 'GitHub took it at the first try'),
      event(37.5, 'sent', 'lumen/tensor-photonic', 'GitHub took it at the first try'),
      event(37.2, 'attempt_failed', 'kestrel/tensor-fpga', 'GitHub answered 502'),
      event(35, 'started', 'borealis/tensor-npu', 'tensor-ci, run 9000501'),
      event(18, 'finished', 'lumen/tensor-photonic', '5 jobs passed'),
      event(9, 'failed', 'borealis/tensor-npu', 'ops-core failed, 2 tests'),
    ],
    github_url: `https://github.com/${upstream}/pull/${number}`,
    stream_id: '1000',
  };
}
