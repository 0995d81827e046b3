// Examples of what failures have in common: clusters, flaky jobs, and one test.
import { at, backends, chance, day, leveled, minute, rate, sha, upstream, windowDays, windowOf } from './world.mjs';

const known = [
  {
    id: '00c0ffee00c0ffee',
    signature:
      'test_ops.TestCommon::test_out_warning_index_add_npu_float# | AssertionError: Tensor-likes are not close! Mismatched elements: # / #',
    test: 'test_ops.TestCommon::test_out_warning_index_add_npu_float32',
    message: 'AssertionError: Tensor-likes are not close!\n\nMismatched elements: 3 / 512 (0.6%)\nGreatest absolute difference: 0.0014',
    tests: 4,
    failures: 9,
    who: [0, 4],
    pulls: [4821],
    on_base: false,
    verdict: 'pr',
    ago: 9,
    since: 0.02,
  },
  {
    id: '1b5e77a9d0034c21',
    signature: 'test_distributed.TestAllReduce::test_barrier | RuntimeError: NCCL timeout after # ms on rank #',
    test: 'test_distributed.TestAllReduce::test_barrier',
    message: 'RuntimeError: NCCL timeout after 600000 ms on rank 3',
    tests: 1,
    failures: 41,
    who: [1, 2, 4],
    pulls: [4819, 4816, 4809, 4804, 4800, 4799, 4795, 4791, 4790, 4788],
    on_base: true,
    verdict: 'trunk',
    ago: 22,
    since: 6,
  },
  {
    id: '9a1f0b3c44de5567',
    signature: 'test_export.TestSymbolic::test_dynamic_shapes | KeyError: <path>',
    test: 'test_export.TestSymbolic::test_dynamic_shapes',
    message: "KeyError: '/opt/toolkit/8.0/lib/kernels.idx'",
    tests: 12,
    failures: 63,
    who: [4],
    pulls: [4812, 4809, 4801],
    on_base: true,
    verdict: 'backend',
    ago: 55,
    since: 20,
  },
  {
    id: 'e0e0e0e0aabbccdd',
    signature: 'setup | no space left on device',
    test: 'setup',
    message: 'OSError: [Errno 28] No space left on device: /var/lib/runner/work',
    tests: 2,
    failures: 5,
    who: [6],
    pulls: [4807],
    on_base: false,
    verdict: 'infra',
    ago: 300,
    since: 1,
  },
  {
    id: '77777777deadbee5',
    signature: 'test_nn.TestRNN::test_lstm_tolerance | AssertionError: # not less than #',
    test: 'test_nn.TestRNN::test_lstm_tolerance',
    message: 'AssertionError: 0.00103 not less than 0.001',
    tests: 1,
    failures: 2,
    who: [2],
    pulls: [4803, 4799],
    on_base: false,
    verdict: 'unknown',
    ago: 700,
    since: 12,
  },
];

function cluster({ who, pulls, ago, since, ...rest }, now) {
  const seen = { first_seen: at(now - since * day), last_seen: at(now - ago * minute) };
  return {
    ...rest,
    upstream,
    downstreams: who.map((index, place) => ({
      repo: backends[index].repo,
      ...leveled(backends[index]),
      failures: Math.max(1, Math.round(rest.failures / (place + 2))),
      ...seen,
    })),
    pulls: { n: pulls.length === 10 ? 17 : pulls.length, numbers: pulls },
    ...seen,
  };
}

const page = (now, window) => ({ as_of: at(now), window: windowOf(window, now), stream_id: '1000' });

export function clusters({ now, window = '7d', downstream = '' }) {
  const rows = known
    .map((one) => cluster(one, now))
    .filter(({ downstreams }) => !downstream || downstreams.some(({ repo }) => repo === downstream));
  return { ...page(now, window), rows, next: null };
}

function occurrences(one, now, start = 0) {
  return Array.from({ length: Math.min(12, one.failures - start) }, (_, index) => {
    const number = one.on_base && index % 4 === 3 ? null : one.pulls[index % one.pulls.length];
    return {
      job: 9100 + start + index,
      downstream: backends[one.who[index % one.who.length]].repo,
      number,
      sha: sha(index),
      event_type: number === null ? 'nightly' : 'pull_request',
      at: at(now - (one.ago + (start + index) * 47) * minute),
      test: one.test,
      message: one.message,
    };
  });
}

export function clusterDetail({ now, id, window = '7d', cursor = '' }) {
  const one = known.find((each) => each.id === id);
  if (!one) return null;
  const start = cursor ? Number(cursor) : 0;
  const next = chance(one.failures);
  const days = [];
  for (let back = Math.min(Math.ceil(one.since), windowDays(window) - 1); back >= 0; back -= 1)
    if (back === 0 || next() > 0.3) days.push({ day: at(now - back * day).slice(0, 10), failures: 1 + Math.floor(next() * 9) });
  return {
    ...page(now, window),
    cluster: cluster(one, now),
    days,
    occurrences: occurrences(one, now, start),
    next: start + 12 < one.failures ? String(start + 12) : null,
  };
}

export function flaky({ now, window = '7d', downstream = '' }) {
  const list = [
    [4, 'distributed', 9, 61],
    [1, 'ops-nn', 7, 88],
    [2, 'compile', 6, 140],
    [0, 'autograd', 4, 190],
    [5, 'quantize', 1, 9],
  ];
  const rows = list.map(([index, job, count, n]) => ({
    upstream,
    downstream: backends[index].repo,
    ...leveled(backends[index]),
    workflow: 'tensor-ci',
    job,
    flaky: count,
    n,
    rate: rate(count, n),
    examples: Array.from({ length: Math.min(3, count) }, (_, at_) => ({
      number: at_ === 2 ? null : 4821 - at_ * 7 - index,
      sha: sha(at_ + index * 10),
      event_type: at_ === 2 ? 'nightly' : 'pull_request',
      at: at(now - (at_ * 500 + 90) * minute),
      job: 9500 + index * 10 + at_,
    })),
  }));
  return { ...page(now, window), rows: rows.filter((row) => !downstream || row.downstream === downstream), next: null };
}

export function testHistory({ now, name, cursor = '' }) {
  const one = known.find(({ test }) => test === name);
  const nothing = { downstreams: [], clusters: [], failures: 0, first_seen: null, last_seen: null, occurrences: [], next: null };
  if (!one) return { as_of: at(now), name, ...nothing, stream_id: '1000' };
  const start = cursor ? Number(cursor) : 0;
  const made = cluster(one, now);
  return {
    as_of: at(now),
    name,
    downstreams: made.downstreams.map((each) => ({ upstream, ...each })),
    clusters: [one.id],
    failures: one.failures,
    first_seen: made.first_seen,
    last_seen: made.last_seen,
    occurrences: occurrences(one, now, start),
    next: start + 12 < one.failures ? String(start + 12) : null,
    stream_id: '1000',
  };
}
