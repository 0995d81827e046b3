// Paths to pages and back. Pure; nav.ts has the browser's history.

type PlainPage = 'overview' | 'pulls' | 'deliveries' | 'dead' | 'help' | 'refused' | 'allowlist' | 'status' | 'audit' | Later;
type Later = 'quality' | 'levels' | 'matrix' | 'trends' | 'nightly' | 'suites' | 'benchmarks' | 'clusters' | 'flaky' | 'tests';

export type Route =
  | { page: PlainPage }
  | { page: 'pull'; owner: string; repo: string; number: number }
  | { page: 'downstream'; owner: string; repo: string }
  | { page: 'job'; id: number }
  | { page: 'job_history'; owner: string; repo: string }
  | { page: 'level'; owner: string; repo: string }
  | { page: 'cluster'; id: string }
  | { page: 'quality_compare' }
  | { page: 'quality_criteria_list' }
  | { page: 'quality_criteria'; set: string; version: string }
  | { page: 'quality_platform'; platform: string }
  | { page: 'quality_release'; platform: string; release: string }
  | { page: 'quality_gap'; platform: string }
  | { page: 'delivery'; id: string }
  | { page: 'missing'; path: string };

const plain: Record<string, PlainPage> = {
  '': 'overview',
  pulls: 'pulls',
  deliveries: 'deliveries',
  dead: 'dead',
  help: 'help',
  refused: 'refused',
  allowlist: 'allowlist',
  status: 'status',
  audit: 'audit',
  matrix: 'matrix',
  trends: 'trends',
  nightly: 'nightly',
  suites: 'suites',
  benchmarks: 'benchmarks',
  clusters: 'clusters',
  flaky: 'flaky',
  tests: 'tests',
  levels: 'levels',
  quality: 'quality',
};

export function parse(path: string): Route {
  const missing: Route = { page: 'missing', path };
  let parts: string[];
  try {
    parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return missing;
  }
  const [head = '', first, second, third] = parts;
  const page = plain[head];
  if (parts.length <= 1 && page) return { page };
  if (head === 'pr' && parts.length === 4 && whole(third)) return { page: 'pull', owner: first!, repo: second!, number: Number(third) };
  if (head === 'b' && parts.length === 3) return { page: 'downstream', owner: first!, repo: second! };
  if (head === 'b' && parts.length === 4 && third === 'job') return { page: 'job_history', owner: first!, repo: second! };
  if (head === 'b' && parts.length === 4 && third === 'level') return { page: 'level', owner: first!, repo: second! };
  if (head === 'clusters' && parts.length === 2) return { page: 'cluster', id: first! };
  if (head === 'job' && parts.length === 2 && whole(first)) return { page: 'job', id: Number(first) };
  if (head === 'deliveries' && parts.length === 2) return { page: 'delivery', id: first! };
  return (head === 'quality' && first && qualityPage(first, parts)) || missing;
}

// Platforms cannot be called compare or criteria, nor releases gap: the relay refuses such names.
function qualityPage(first: string, [, , second, third, ...rest]: string[]): Route | null {
  if (rest.length > 0) return null;
  if (first === 'criteria') {
    if (!second) return { page: 'quality_criteria_list' };
    return third ? { page: 'quality_criteria', set: second, version: third } : null;
  }
  if (third) return null;
  if (!second) return first === 'compare' ? { page: 'quality_compare' } : { page: 'quality_platform', platform: first };
  return second === 'gap' ? { page: 'quality_gap', platform: first } : { page: 'quality_release', platform: first, release: second };
}

export function pathOf(route: Route): string {
  switch (route.page) {
    case 'overview':
      return '/';
    case 'pull':
      return `/pr/${escaped(route.owner, route.repo)}/${route.number}`;
    case 'downstream':
      return `/b/${escaped(route.owner, route.repo)}`;
    case 'job_history':
      return `/b/${escaped(route.owner, route.repo)}/job`;
    case 'level':
      return `/b/${escaped(route.owner, route.repo)}/level`;
    case 'cluster':
      return `/clusters/${escaped(route.id)}`;
    case 'job':
      return `/job/${route.id}`;
    case 'delivery':
      return `/deliveries/${escaped(route.id)}`;
    case 'quality_compare':
      return '/quality/compare';
    case 'quality_criteria_list':
      return '/quality/criteria';
    case 'quality_criteria':
      return `/quality/criteria/${escaped(route.set, route.version)}`;
    case 'quality_platform':
      return `/quality/${escaped(route.platform)}`;
    case 'quality_release':
      return `/quality/${escaped(route.platform, route.release)}`;
    case 'quality_gap':
      return `/quality/${escaped(route.platform)}/gap`;
    case 'missing':
      return route.path;
    default:
      return `/${route.page}`;
  }
}

export function pullPath(upstream: string, number: number): string {
  const [owner = '', repo = ''] = upstream.split('/');
  return pathOf({ page: 'pull', owner, repo, number });
}

export function downstreamPath(name: string): string {
  const [owner = '', repo = ''] = name.split('/');
  return pathOf({ page: 'downstream', owner, repo });
}

export function levelPath(downstream: string): string {
  return `${downstreamPath(downstream)}/level`;
}

export function platformPath(platform: string): string {
  return pathOf({ page: 'quality_platform', platform });
}

export function assessmentPath(platform: string, release: string): string {
  return pathOf({ page: 'quality_release', platform, release });
}

export function criteriaPath({ set, version }: { set: string; version: string }): string {
  return pathOf({ page: 'quality_criteria', set, version });
}

export function jobPath(downstream: string, workflow: string, job: string): string {
  return `${downstreamPath(downstream)}/job${changed('', { workflow, job })}`;
}

export function clusterPath(id: string): string {
  return pathOf({ page: 'cluster', id });
}

export function testPath(name: string): string {
  return `/tests${changed('', { name })}`;
}

// The query with some of it changed; an empty value takes its key away. Keys stand in order, so that one view has one address.
export function changed(query: string, changes: Record<string, string | null | undefined>): string {
  const kept = new URLSearchParams(query);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') kept.delete(key);
    else kept.set(key, value);
  }
  kept.sort();
  const text = kept.toString();
  return text ? `?${text}` : '';
}

// A value out of a fixed set; anything else counts as the first of them.
export function choice<const T extends string>(query: string, key: string, allowed: readonly [T, ...T[]]): T {
  const given = new URLSearchParams(query).get(key);
  return allowed.find((value) => value === given) ?? allowed[0];
}

export function text(query: string, key: string): string {
  return new URLSearchParams(query).get(key) ?? '';
}

export function list(query: string, key: string): string[] {
  return text(query, key).split(',').filter(Boolean);
}

// Only what a browser opens as a page; everything else stays text.
export function safeLink(address: string): string | null {
  try {
    const url = new URL(address);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

// Where a link leads, for people: the provider's host.
export function hostOf(address: string): string {
  return safeLink(address) === null ? '' : new URL(address).host;
}

// A page of this site; what leads elsewhere is no page.
export function ownPage(to: string): string | null {
  return /^\/(?![/\\])/.test(to) ? to : null;
}

function whole(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,15}$/.test(text);
}

function escaped(...parts: string[]): string {
  return parts.map(encodeURIComponent).join('/');
}
