// Examples of deliveries, of what was given up, and of one job.
import { failedTests, job } from './example_pulls.mjs';
import { at, backends, day, minute, sha, upstream, uuid } from './world.mjs';

export function jobDetail({ now, id }) {
  return {
    as_of: at(now),
    stream_id: '1000',
    upstream,
    downstream: 'borealis/tensor-npu',
    number: 4821,
    sha: sha(0),
    event_type: 'pull_request',
    job: job(id, 'ops-core', 'failure', now),
    failed_tests: failedTests(id),
    environment: { driver: '24.1.rc3', runner: 'npu-pool-07', os: 'openEuler 22.03', toolkit: '8.0.RC1' },
  };
}

const worst = ['finished', 'started', 'finished', 'dead', 'silent', 'finished', 'sent', null, 'superseded', 'finished', 'pending'];

export function deliveries({ now, event = '', number = '', cursor = '' }) {
  const start = cursor ? Number(cursor) : 0;
  const kinds = [
    ['pull_request', 'synchronize'],
    ['pull_request', 'opened'],
    ['push', ''],
    ['pull_request', 'labeled'],
    ['check_run', 'rerequested'],
  ];
  const rows = Array.from({ length: 40 }, (_, index) => {
    const seed = start + index;
    const [kind, action] = kinds[seed % kinds.length];
    return {
      sequence: 18_342 - seed,
      id: uuid(seed + 1),
      event: kind,
      action,
      repository: upstream,
      number: kind === 'push' ? null : 4821 - (seed % 30),
      sha: sha(seed),
      received_at: at(now - seed * 3.7 * minute - 12_000),
      state: seed === 0 ? 'to_plan' : 'planned',
      body_bytes: 18_000 + ((seed * 977) % 9000),
      worst: seed === 0 ? null : worst[seed % worst.length],
    };
  }).filter((row) => (!event || row.event === event) && (!number || String(row.number) === number));
  return { as_of: at(now), rows, next: start === 0 && !event && !number ? '40' : null, stream_id: '1000' };
}

export function delivery({ now, id }) {
  const received = now - 38 * minute;
  const dispatch = (index, state, reason, more = {}) => ({
    id: 70 + index,
    delivery: id,
    downstream: backends[index].repo,
    upstream,
    generation: 1,
    level: backends[index].level,
    state,
    reason,
    created_at: at(received + 300),
    due_at: at(received + 300),
    sent_at: ['dead', 'failed', 'pending'].includes(state) ? null : at(received + 420 + index * 60),
    attempts: [{ number: 1, started_at: at(received + 350), ended_at: at(received + 500), outcome: 'accepted', status: 204, detail: '' }],
    jobs: [],
    ...more,
  });
  const tries = [1, 2, 3].map((number) => ({
    number,
    started_at: at(received + number * 20_000),
    ended_at: at(received + number * 20_000 + 900),
    outcome: 'failed',
    status: 502,
    detail: 'bad gateway',
  }));
  return {
    as_of: at(now),
    stream_id: '1000',
    delivery: {
      sequence: 18_342,
      id,
      event: 'pull_request',
      action: 'synchronize',
      repository: upstream,
      number: 4821,
      sha: sha(0),
      received_at: at(received),
      state: 'planned',
      body_bytes: 21_344,
      worst: 'dead',
    },
    dispatches: [
      dispatch(0, 'finished', '', { jobs: [job(501, 'ops-core', 'failure', now), job(510, 'unit', 'success', now)] }),
      dispatch(3, 'finished', '', { jobs: [job(540, 'build', 'success', now)] }),
      dispatch(1, 'finished', 'silent: no start within 30 min'),
      dispatch(2, 'sent', ''),
      dispatch(5, 'superseded', 'a newer commit came first', { sent_at: null }),
      dispatch(4, 'dead', 'Every try failed; the last answer was 502', { attempts: tries }),
    ],
    ledger: [
      ['received', 0, 'X-Hub-Signature-256 is good'],
      ['planned', 240, '6 dispatches; 2 downstreams do not listen to synchronize'],
      ['sent', 480, 'borealis/tensor-npu'],
      ['attempt_failed', 20_900, 'kestrel/tensor-fpga: 502'],
      ['dead', 61_000, 'kestrel/tensor-fpga: given up after 3 tries'],
      ['finished', 1_700_000, 'borealis/tensor-npu: 1 of 2 jobs failed'],
    ].map(([kind, after, detail], index) => ({ sequence: index + 1, at: at(received + after), kind, detail })),
    body_kept: true,
    results_kept: true,
  };
}

const gaveUp = [
  ['kestrel/tensor-fpga', 'dead', 'Every try failed; the last answer was 502 bad gateway', 12],
  ['sable/tensor-dsp', 'failed', 'The App is not installed there (404). Install it, then send again.', 1],
  ['kestrel/tensor-fpga', 'dead', 'Every try failed; the last answer was 502 bad gateway', 12],
];

// `gone` holds the deliveries that were sent again.
export function dead({ now, downstream = '', reason = '', kind = '', cursor = '', limit = 50, empty = false, gone = new Set() }) {
  const fits = (row, why) => (!downstream || row.downstream === downstream) && (!reason || why === reason);
  const dispatches = Array.from({ length: empty || kind === 'letter' ? 0 : 58 }, (_, n) => {
    const [whose, state, why, attempts] = gaveUp[n % gaveUp.length];
    return {
      id: 900 - n,
      delivery: uuid(n + 1),
      downstream: whose,
      upstream,
      state,
      reason: why,
      created_at: at(now - (40 + n * 12) * minute),
      attempts,
      number: n % 4 === 3 ? null : 4821 - n,
      event_type: n % 4 === 3 ? 'nightly' : 'pull_request',
    };
  }).filter((row) => fits(row, row.reason) && !gone.has(row.delivery));
  const letters = (empty || kind === 'dispatch' ? [] : [4790, 4771]).map((number, n) => ({
    id: 9 - n,
    sink: 'checks',
    lane: `${upstream}#${number}`,
    created_at: at(now - 3 * day),
    died_at: at(now - (2 + n) * day),
    attempts: 20,
    detail: 'GitHub answered 422: head_sha is gone',
    downstream: 'lumen/tensor-photonic',
    number,
    event_type: 'pull_request',
  })).filter((row) => fits(row, row.detail));
  const counts = new Map();
  for (const [what, list, why] of [['dispatch', dispatches, 'reason'], ['letter', letters, 'detail']])
    for (const row of list) {
      const key = JSON.stringify({ kind: what, downstream: row.downstream, reason: row[why] });
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  const start = dispatches.findIndex((row) => !cursor || row.id < Number(cursor));
  const page = start < 0 ? [] : dispatches.slice(start, start + Number(limit));
  const more = start >= 0 && dispatches.length > start + Number(limit);
  return {
    as_of: at(now),
    stream_id: '1000',
    more,
    dispatches: page,
    letters: cursor ? [] : letters,
    groups: [...counts].map(([key, count]) => ({ ...JSON.parse(key), count })).sort((a, b) => b.count - a.count),
    next: more ? String(page.at(-1).id) : null,
  };
}
