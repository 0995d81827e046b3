// The world that the examples are about: its downstreams, and figures by the formula that the relay uses. Seeded, so that every run shows the
// same. `now` is the relay's clock.

export const upstream = 'acme/tensor';
export const day = 86_400_000;
export const minute = 60_000;

export const backends = [
  { repo: 'borealis/tensor-npu', level: 'L4', device: 'npu910', good: 0.985, n: 640, gate: 'counted' },
  { repo: 'helix-ai/tensor-hx', level: 'L4', device: 'hx2', good: 0.91, n: 410, gate: 'suspended' },
  { repo: 'openrisc/tensor-riscv', level: 'L3', effective: 'L2', device: 'rv64gcv', good: 0.88, n: 196, gate: 'not_counted' },
  { repo: 'lumen/tensor-photonic', level: 'L3', device: 'lx1', good: 0.997, n: 388, gate: 'not_counted' },
  { repo: 'kestrel/tensor-fpga', level: 'L2', device: 'u280', good: 0.71, n: 122, gate: 'not_counted' },
  { repo: 'meridian/tensor-vulkan', level: 'L2', device: 'vulkan', good: 0.96, n: 254, gate: 'not_counted' },
  { repo: 'tidal/tensor-wasm', level: 'L2', device: 'wasm', good: 0.93, n: 14, gate: 'not_counted' },
  { repo: 'sable/tensor-dsp', level: 'L1', device: 'q6', good: 0, n: 0, gate: 'not_counted' },
];
export const downstreamNames = backends.map(({ repo }) => repo);
export const jobs = [
  'build',
  'unit',
  'ops-core',
  'ops-nn',
  'autograd',
  'distributed',
  'compile',
  'quantize',
  'export',
  'serialization',
  'bench-smoke',
  'docs',
];
export const authors = ['mira', 'tomasz', 'yuki', 'aled', 'priya', 'jonas', 'sofia'];

// The level as listed, and what checks and gate follow.
export const leveled = ({ level, effective = level }) => ({ level, effective_level: effective });

export function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const at = (moment) => new Date(moment).toISOString();
export const sha = (seed) => {
  const next = chance(seed * 7919 + 3);
  return Array.from({ length: 40 }, () => Math.floor(next() * 16).toString(16)).join('');
};
export const uuid = (seed) => {
  const text = sha(seed);
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-11f0-${text.slice(12, 16)}-${text.slice(16, 28)}`;
};

export const gateRule = 'Nobody holds up a merge by silence: its part turns neutral when it has not started 30 min after the event, or not ended after 3 h.';

export function rate(good, n) {
  if (n === 0) return { value: null, n: 0, low: null, high: null, few: true };
  const p = good / n;
  const z = 1.959964;
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return { value: p, n, low: Math.max(0, middle - half), high: Math.min(1, middle + half), few: n < 20 };
}

export function cellsOf({ good, n }, share = 1) {
  const all = Math.round(n * share);
  const bad = Math.round(all * (1 - good));
  const flaky = Math.min(all - bad, Math.round(all * 0.012));
  const late = Math.floor(bad / 6);
  return { success: all - bad - flaky, flaky, failure: bad - late, timed_out: late, no_signal: Math.round(all * 0.04) };
}

export const windowDays = (name) => Number(name.replace('d', ''));

export function windowOf(name, now) {
  const until = Math.floor(now / day) * day + day;
  return { name, from: at(until - windowDays(name) * day), until: at(until) };
}

export function downstream(backend, window, now) {
  const cells = cellsOf(backend, windowDays(window) / 7);
  const n = cells.success + cells.flaky + cells.failure + cells.timed_out;
  const waiting = backend.repo === 'kestrel/tensor-fpga';
  return {
    upstream,
    repo: backend.repo,
    ...leveled(backend),
    device: backend.device,
    gate: backend.gate,
    blocking_unknown: false,
    gate_rule: backend.gate === 'counted' ? gateRule : '',
    paused_until: waiting ? at(now + 4 * minute) : null,
    suspended: false,
    held: '',
    rates: {
      final: rate(cells.success + cells.flaky, n),
      first_attempt: rate(cells.success, n),
      compat: rate(cells.success, n + cells.no_signal),
      adjusted: backend.n > 300 ? rate(cells.success + cells.flaky, n - Math.floor(cells.failure / 2)) : null,
    },
    cells,
    silent: backend.gate === 'suspended' ? 9 : 0,
    pending: waiting ? 6 : 0,
    running: backend.n > 200 ? 3 : 0,
    last_result_at: backend.n === 0 ? null : at(now - (backend.gate === 'suspended' ? 190 : 4) * minute),
    last_sent_at: at(now - 2 * minute),
    trouble: waiting ? 'GitHub answered 502 to the last 3 tries; the next is in 4 min' : '',
  };
}

export const mix = [
  'success',
  'success',
  'success',
  'success',
  'success',
  'success',
  'success',
  'success',
  'success',
  'flaky',
  'failure',
  'running',
  'timed_out',
  'cancelled',
  'skipped',
];
