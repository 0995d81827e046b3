// Examples about the relay itself: what was refused, who is listed, how it is, what people did and wrote.
import { relay } from './example_downstreams.mjs';
import { at, backends, chance, day, leveled, minute, sha, upstream, uuid } from './world.mjs';

const hints = {
  'callback token': 'Send the callback_token of the dispatch’s client_payload back with each report.',
  'not listed': 'Ask for an entry in the upstream’s allowlist; only listed repositories may report.',
  'unusable body': 'Compare the body with the schema of the callback; `baton report --dry-run` shows what would be sent.',
  'bad token': 'The OIDC token could not be verified: ask for the audience that the relay names, and send it fresh.',
  'rate limit': 'Report each job once when it starts and once when it ends.',
};

export function refused({ now, downstream = '', reason = '', cursor = '', empty = false }) {
  const start = cursor ? Number(cursor) : 0;
  const kinds = [
    ['callback token', 'helix-ai/tensor-hx', 403, 'the callback token belongs to another dispatch'],
    ['unusable body', 'kestrel/tensor-fpga', 422, '$.job.conclusion: "succes" is none of success, failure, neutral, cancelled, skipped, timed_out'],
    ['bad token', null, 401, 'the token was issued for another audience'],
    ['not listed', 'stray/fork', 403, 'stray/fork is in no allowlist'],
    ['callback token', 'helix-ai/tensor-hx', 403, 'the callback token is missing'],
    ['rate limit', 'tidal/tensor-wasm', 429, '60 reports in a minute'],
  ];
  const hour = Math.floor(now / 3_600_000) * 3_600_000;
  const all = empty
    ? []
    : Array.from({ length: 36 }, (_, index) => {
        const seed = start + index;
        const [why, who, status, detail] = kinds[seed % kinds.length];
        const first = hour - Math.floor(seed / 3) * 3_600_000 + 60_000;
        return {
          id: 900 - seed,
          at: at(Math.min(now, first + 14 * minute)),
          first_at: at(Math.min(now, first)),
          downstream: who,
          status,
          reason: why,
          detail,
          hint: hints[why],
          delivery: who && why !== 'not listed' ? uuid(seed + 1) : null,
          count: 1 + ((seed * 7) % 23),
        };
      });
  const rows = all.filter((row) => (!downstream || row.downstream === downstream) && (!reason || row.reason === reason));
  const by = Object.entries(hints)
    .map(([name, hint], index) => ({ reason: name, count: [188, 31, 64, 12, 17][index], hint }))
    .sort((a, b) => b.count - a.count);
  const whose = [
    ['helix-ai/tensor-hx', 'callback token', 188, 4],
    ['kestrel/tensor-fpga', 'unusable body', 64, 9],
    [null, 'not listed', 43, 50],
    ['tidal/tensor-wasm', 'rate limit', 17, 71],
  ].map(([who, why, count, ago]) => ({ downstream: who, reason: why, count, last_at: at(now - ago * minute) }));
  const n = empty ? 0 : by.reduce((sum, { count }) => sum + count, 0);
  return {
    as_of: at(now),
    rows,
    totals: { from: at(hour - day), until: at(hour + 3_600_000), n, by_reason: empty ? [] : by, by_downstream: empty ? [] : whose },
    dropped: empty ? 0 : 4,
    next: start === 0 && rows.length === 36 ? '36' : null,
    stream_id: '1000',
  };
}

export function allowlists({ now, upstream: only = '' }) {
  if (only && only !== upstream) return null;
  const entries = backends.map((backend, index) => ({
    repo: backend.repo,
    ...leveled(backend),
    device: backend.device,
    line: 4 + index * 3,
    oncall: backend.level === 'L4' ? ['ingrid', 'oncall-npu'] : [],
    settings:
      backend.repo === 'kestrel/tensor-fpga'
        ? [
            { key: 'start_within', value: '2h' },
            { key: 'labels', value: '[ciflow/fpga]' },
          ]
        : [],
  }));
  return {
    as_of: at(now),
    upstreams: [
      {
        upstream,
        source: 'github:acme/tensor/.github/allowlist.yml@main',
        digest: sha(70).repeat(2).slice(0, 64),
        in_force_since: at(now - 3 * day),
        refused: { at: at(now - 40 * minute), detail: '.github/allowlist.yml:23:7: unknown key "devise"; known are device, oncalls, labels', line: 23, column: 7 },
        findings: [
          { severity: 'warning', line: 13, column: 5, message: 'kestrel/tensor-fpga listens to a label that no pull request had in 30 days' },
          { severity: 'warning', line: 25, column: 5, message: 'sable/tensor-dsp names no device' },
        ],
        entries,
        history: [
          {
            at: at(now - 3 * day),
            digest: sha(70).repeat(2).slice(0, 64),
            changes: [
              { repo: 'helix-ai/tensor-hx', kind: 'moved', before: 'L3', after: 'L4', meaning: ['counts for merging from now on', 'needs somebody on call'] },
              { repo: 'tidal/tensor-wasm', kind: 'added', before: null, after: 'L2', meaning: ['gets events', 'its results are kept'] },
            ],
          },
          {
            at: at(now - 12 * day),
            digest: sha(71).repeat(2).slice(0, 64),
            changes: [{ repo: 'kestrel/tensor-fpga', kind: 'changed', before: 'L2', after: 'L2', meaning: ['may take 2 h to start'] }],
          },
          { at: at(now - 31 * day), digest: sha(72).repeat(2).slice(0, 64), changes: [] },
        ],
      },
    ],
    stream_id: '1000',
  };
}

export function status({ now }) {
  const { version, mode, started_at, parts } = relay(now);
  return {
    as_of: at(now),
    version,
    mode,
    started_at,
    uptime_s: Math.floor((3.4 * day) / 1000),
    ready: true,
    parts,
    actions: true,
    last_delivery_at: at(now - 12_000),
    store: {
      kind: 'postgresql',
      bytes: 231_440_384,
      schema: 17,
      deliveries: 48_211,
      oldest_body_at: at(now - 34 * day),
      results: 301_884,
      oldest_result_at: at(now - 395 * day),
      results_pruned_until: at(now - 396 * day),
      sizes: [
        ['results', 171_966_464],
        ['payloads', 32_014_336],
        ['dispatches', 9_814_016],
        ['deliveries', 8_126_464],
        ['roll_ups', 4_325_376],
        ['ledger', 3_817_472],
        ['checks', 1_048_576],
        ['other', 327_680],
        ['free', 0],
      ].map(([kind, bytes]) => ({ kind, bytes })),
      sizes_at: at(now - 3 * 3_600_000),
    },
    queues: {
      to_plan: 0,
      pending: 6,
      leased: 2,
      oldest_pending: at(now - 7 * minute),
      unknown_outcomes: 1,
      checks_waiting: 1,
      oldest_check: at(now - 20_000),
      reruns_waiting: 0,
      looks: 2,
      letters_waiting: 0,
    },
    github: [
      { account: '', limit: 5000, remaining: 4312, reset_at: at(now + 31 * minute), held_until: null },
      { account: 'acme', limit: 12_500, remaining: 11_201, reset_at: at(now + 12 * minute), held_until: null },
      { account: 'kestrel', limit: 5000, remaining: 0, reset_at: at(now + 4 * minute), held_until: at(now + 4 * minute) },
      { account: 'sable', limit: null, remaining: null, reset_at: null, held_until: null },
    ],
    sinks: [
      { name: 'archive', waiting: 0, dead: 0 },
      { name: 'checks', waiting: 1, dead: 1 },
    ],
    listeners: 14,
    refusals_dropped: 4,
    memory: { resident_bytes: 64_512_000 },
    stream_id: '1000',
  };
}

export function notes({ now, about = '', subject = '', limit = 20, written = [] }) {
  const told = [
    ['downstream', 'helix-ai/tensor-hx', 'Their lab moves to another hall until Thursday.\nExpect silence; the owners know.', 'release duty (ann)', 95, 3 * day],
    ['pull', `${upstream}#4821`, 'ops-core also fails without this change on npu910; see the tracking issue before asking mira.', 'ingrid', 6, null],
    ['delivery', uuid(1), 'Sent again after the 502s of this morning.', 'release duty (ann)', 240, null],
  ].map(([kind, whose, text, by, ago, lasts], index) => ({
    id: 30 - index,
    about: kind,
    subject: whose,
    text,
    by,
    at: at(now - ago * minute),
    expires_at: lasts === null ? null : at(now + lasts),
  }));
  const rows = [...written, ...told].filter((note) => (!about || note.about === about) && (!subject || note.subject === subject));
  return { as_of: at(now), rows: rows.slice(0, Number(limit)), next: null, stream_id: '1000' };
}

export function audit({ now, action = '', cursor = '' }) {
  const start = cursor ? Number(cursor) : 0;
  const told = [
    ['redelivered', uuid(2), 'release duty (ann)', '', 'kestrel/tensor-fpga: 1 dispatch'],
    ['acknowledged', 'gate_suspended helix-ai/tensor-hx', 'release duty (ann)', 'their lab moves', 'until tomorrow'],
    ['suspended', 'sable/tensor-dsp', 'root on relay-1', 'runners on fire', 'until somebody lifts it'],
    ['rerun_ordered', `${upstream}#4821`, 'mira on GitHub', 'flaky driver', 'borealis/tensor-npu, failed jobs'],
    ['noted', `${upstream}#4821`, 'ingrid', '', 'ops-core also fails without this change'],
    ['resumed', 'sable/tensor-dsp', 'root on relay-1', 'new fans', ''],
    ['gate_suspended', 'helix-ai/tensor-hx', '', '9 dispatches in a row stayed silent', 'the circuit breaker'],
  ];
  const next = chance(start + 3);
  const rows = Array.from({ length: 30 }, (_, index) => {
    const [what, whom, who, why, detail] = told[index % told.length];
    return { id: 5000 - start - index, at: at(now - (start + index) * 71 * minute - next() * 9 * minute), action: what, actor: who, subject: whom, reason: why, detail };
  }).filter((row) => !action || row.action === action);
  return { as_of: at(now), rows, next: start === 0 && !action ? '30' : null, stream_id: '1000' };
}
