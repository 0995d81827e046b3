// Examples of what goes over time: trends, nightlies, one job, suites and benchmarks.
import { at, backends, cellsOf, chance, day, leveled, minute, mix, rate, sha, upstream, windowDays, windowOf } from './world.mjs';

const passing = (cells) => cells.success + cells.flaky;
const conclusive = (cells) => passing(cells) + cells.failure + cells.timed_out;

function ratesOf(cells) {
  const n = conclusive(cells);
  return {
    final: rate(passing(cells), n),
    first_attempt: rate(cells.success, n),
    compat: rate(cells.success, n + cells.no_signal),
    adjusted: null,
  };
}

const spread = (n, base) => ({ n, p50_ms: base, p90_ms: (base * 2.2) | 0, p95_ms: (base * 3.1) | 0, p99_ms: (base * 7) | 0 });

export function trends({ now, window = '7d', downstream = null }) {
  const one = backends.find(({ repo }) => repo === downstream);
  if (downstream && !one) return null;
  const who = one ? [one] : backends;
  const next = chance(77 + (one?.n ?? 0));
  const days = [];
  for (let back = windowDays(window) - 1; back >= 0; back -= 1) {
    if (who.every(({ n }) => n === 0) || (back > 0 && back % 11 === 5)) continue; // a day without anything
    const n = who.reduce((sum, each) => sum + each.n / 7, 0);
    const good = who.reduce((sum, each) => sum + each.good * each.n, 0) / who.reduce((sum, each) => sum + each.n, 1);
    const cells = cellsOf({ good: Math.min(1, good + (next() - 0.6) * 0.06), n: Math.max(3, Math.round(n * (0.6 + next() * 0.8))) });
    days.push({
      day: at(now - back * day).slice(0, 10),
      cells,
      rates: ratesOf(cells),
      silent: Math.floor(next() * 3),
      queue: one ? spread(conclusive(cells), Math.round(38_000 * (0.7 + next()))) : null,
      run: one ? spread(conclusive(cells), Math.round(741_000 * (0.8 + next() * 0.4))) : null,
    });
  }
  const changes = [-0.082, -0.031, -0.004, null, null, 0.001, 0.012, 0.024];
  const order = [4, 1, 2, 6, 7, 5, 3, 0];
  const lines = order.map((index, place) => {
    const { repo, n, good } = backends[index];
    const cells = cellsOf({ good, n }, windowDays(window) / 7);
    const now_ = rate(passing(cells), conclusive(cells));
    const change = changes[place];
    const before = change === null ? rate(0, 0) : rate(Math.round((now_.value - change) * 200), 200);
    return { upstream, repo, ...leveled(backends[index]), rate: now_, before, change, cells, silent: backends[index].gate === 'suspended' ? 9 : 0 };
  });
  return {
    as_of: at(now),
    window: windowOf(window, now),
    downstream,
    days,
    downstreams: lines.filter(({ repo }) => !downstream || repo === downstream),
    stream_id: '1000',
  };
}

export function nightly({ now, weeks = 6, downstream = null }) {
  const today = Math.floor(now / day) * day;
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * day;
  const first = monday - (Number(weeks) - 1) * 7 * day;
  const lines = [4, 1, 2, 0, 3, 5].map((index) => {
    const { repo, device, good } = backends[index];
    const next = chance(index + 5);
    const scheduled = index !== 5;
    const days = [];
    // From today backwards, so that the last days are the same on every day of the week.
    for (let moment = today; moment >= first; moment -= day) {
      if (!scheduled && new Date(moment).getUTCDay() % 3) continue;
      const dice = next();
      const outcome =
        moment === today && index === 0
          ? 'running'
          : moment === today && index === 4
            ? 'failure'
            : dice < 0.04
              ? 'missed'
              : dice < 0.07
                ? 'silent'
                : next() < good ** 2
                  ? 'success'
                  : mix[9 + Math.floor(next() * 2)];
      const ran = !['missed', 'silent'].includes(outcome);
      days.unshift({
        day: at(moment).slice(0, 10),
        outcome,
        event_type: 'nightly',
        runs: ran ? 1 : 0,
        missed: outcome === 'missed' ? 1 : 0,
        sha: ran ? sha(index * 100 + days.length) : '',
        job: ran ? 3000 + index * 100 + days.length : null,
        cells: ran ? cellsOf({ good: outcome === 'failure' ? 0.9 : 1, n: 12 }) : cellsOf({ good: 1, n: 0 }),
      });
    }
    const ran = days.filter(({ runs }) => runs > 0);
    return {
      upstream,
      repo,
      ...leveled(backends[index]),
      device,
      schedule: scheduled ? `${10 + index} 3 * * *` : '',
      next_at: scheduled ? at(today + day + (3 * 60 + 10 + index) * minute) : null,
      missed: days.filter(({ missed }) => missed).length,
      passed: ran.filter(({ outcome }) => outcome === 'success' || outcome === 'flaky').length,
      ran: ran.length,
      days,
    };
  });
  return {
    as_of: at(now),
    from: at(first).slice(0, 10),
    until: at(today).slice(0, 10),
    lines: lines.filter(({ repo }) => !downstream || repo === downstream),
    stream_id: '1000',
  };
}

export function jobHistory({ now, name, workflow = 'tensor-ci', job = '', event = 'pull_request', window = '7d', cursor = '' }) {
  const one = backends.find(({ repo }) => repo === name);
  if (!one) return null;
  const start = cursor ? Number(cursor) : 0;
  const next = chance(start + one.n);
  const cells = cellsOf({ good: one.good, n: Math.round(one.n / 8) }, windowDays(window) / 7);
  const rows = Array.from({ length: one.n === 0 ? 0 : 50 }, (_, index) => {
    const seed = start + index;
    const outcome = seed === 0 ? 'running' : next() < one.good - 0.04 ? 'success' : mix[9 + Math.floor(next() * 6)];
    const ended = outcome !== 'running';
    return {
      number: event === 'pull_request' ? 4821 - seed : null,
      sha: sha(seed),
      at: at(now - seed * 13 * minute - 40_000),
      outcome,
      attempts: outcome === 'flaky' ? 2 : 1,
      job: 5000 + seed,
      queue_ms: outcome === 'flaky' ? null : 20_000 + Math.floor(next() * 60_000),
      run_ms: ended ? 500_000 + Math.floor(next() * 400_000) : null,
    };
  });
  const days = [];
  for (let back = windowDays(window) - 1; back >= 0 && one.n > 0; back -= 1) {
    if (back % 9 === 4) continue;
    const part = cellsOf({ good: one.good, n: Math.round((one.n / 50) * (0.6 + next())) });
    days.push({ day: at(now - back * day).slice(0, 10), cells: part, rate: rate(passing(part), conclusive(part)), silent: 0 });
  }
  return {
    as_of: at(now),
    upstream,
    repo: name,
    workflow,
    job,
    event_type: event,
    window: windowOf(window, now),
    cells,
    rates: ratesOf(cells),
    queue: spread(rows.length, 38_400),
    run: spread(rows.length, 741_000),
    days,
    rows,
    next: start === 0 && rows.length ? '50' : null,
    stream_id: '1000',
  };
}

export function suites({ now, event = 'nightly', sha: commit = '' }) {
  const who = backends.filter(({ level }) => level !== 'L1');
  const names = ['tensor-ci', 'tensor-distributed', 'tensor-export', 'tensor-quantization', 'tensor-smoke'];
  return {
    as_of: at(now),
    upstream,
    event_type: event,
    sha: commit,
    columns: who.map((one, index) => ({
      device: one.device,
      repo: one.repo,
      ...leveled(one),
      sha: index === 5 ? '' : sha(index + 40),
      at: index === 5 ? null : at(now - (200 + index * 7) * minute),
    })),
    rows: names.map((suite, row) => ({
      suite,
      cells: who.map(({ device, repo, good }, column) => {
        const next = chance(row * 31_337 + column * 7919 + 3);
        next();
        const none = column === 5 || (row === 3 && column > 2);
        const bad = !none && next() > good ** 3;
        const failed = bad ? 1 + Math.floor(next() * 4) : 0;
        return {
          device,
          repo,
          outcome: none ? null : bad ? 'failure' : next() < 0.06 ? 'flaky' : 'success',
          jobs: none ? 0 : 4 + row,
          failed_jobs: bad ? 1 : 0,
          tests: none || row === 4 ? null : { passed: 4800 - row * 900 - failed, failed, skipped: 120, total: 4920 - row * 900 },
          job: none ? null : 7000 + row * 10 + column,
        };
      }),
    })),
    stream_id: '1000',
  };
}

const measured = [
  ['training', 'resnet50 batch 32', 'images/s', 0.81, 'worse', 1240],
  ['training', 'gpt2-medium step', 'ms', 1.19, 'worse', 318],
  ['inference', 'llama-7b first token', 'ms', 0.82, 'better', 96],
  ['inference', 'bert-base p50', 'ms', 1.01, 'usual', 14.2],
  ['memory', 'gpt2-medium peak', 'MiB', 1, 'usual', 18_244],
  ['memory', 'allocator score', 'points', 1.22, 'changed', 71],
  ['training', 'vit-large batch 64', 'images/s', 1, 'new', 402],
];
const better = { ms: 'less', MiB: 'less', 'images/s': 'more' };

function point(index, back, now, [, , , by, mark, base]) {
  const next = chance(index * 91_193 + back * 7919);
  next();
  const last = back === 0;
  const fresh = mark === 'new';
  return {
    at: at(now - back * 0.5 * day - 90 * minute),
    value: Number((base * (last ? by : 1 + (next() - 0.5) * 0.04)).toPrecision(5)),
    job: 8000 + index * 100 + back,
    sha: sha(back + 60),
    number: back % 4 === 1 ? 4821 - back : null,
    event_type: back % 4 === 1 ? 'pull_request' : 'nightly',
    mark: last ? mark : fresh ? 'new' : 'usual',
    usual: fresh ? null : base,
  };
}

export function benchmarks({ now, downstream, window = '7d', suite = '' }) {
  const one = backends.find(({ repo }) => repo === downstream);
  if (!one) return null;
  const rows =
    one.n < 100
      ? []
      : measured.map((line, index) => ({
          suite: line[0],
          name: line[1],
          unit: line[2],
          newest: point(index, 0, now, line),
          n: line[4] === 'new' ? 3 : windowDays(window) * 2,
          change: line[4] === 'new' ? null : Number((line[3] - 1).toFixed(4)),
        }));
  const rank = ['worse', 'changed', 'better', 'usual', 'new'];
  return {
    as_of: at(now),
    upstream,
    repo: downstream,
    window: windowOf(window, now),
    suites: rows.length ? ['inference', 'memory', 'training'] : [],
    rows: rows.filter((row) => !suite || row.suite === suite).sort((a, b) => rank.indexOf(a.newest.mark) - rank.indexOf(b.newest.mark)),
    more: false,
    stream_id: '1000',
  };
}

export function benchmarkSeries({ now, downstream, window = '7d', suite, name }) {
  const index = Math.max(
    0,
    measured.findIndex(([of, called]) => of === suite && called === name),
  );
  const line = measured[index];
  const many = line[4] === 'new' ? 3 : windowDays(window) * 2;
  return {
    as_of: at(now),
    upstream,
    repo: downstream,
    window: windowOf(window, now),
    suite: line[0],
    name: line[1],
    unit: line[2],
    better: better[line[2]] ?? null,
    points: Array.from({ length: many }, (_, back) => point(index, many - 1 - back, now, line)),
    stream_id: '1000',
  };
}
