// Where somebody may have wanted to go who came to an address that is no page. Pure.
import { pages, type Found, type Known } from './finder';
import { downstreamPath, parse, pullPath } from './route';

const most = 6;

export function suggest(path: string, known: Known): Found[] {
  const wanted = readable(path).toLowerCase();
  const found = [...mended(wanted), ...alike(wanted, known)];
  return found.filter((one, at) => found.findIndex(({ to }) => to === one.to) === at).slice(0, most);
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

// Addresses of GitHub, of the API, and such as people type from memory.
function mended(path: string): Found[] {
  const plain = path.replace(/^\/api\/v1/, '').replace(/\.(json|csv|html)$/, '');
  const told: [RegExp, (parts: string[]) => string][] = [
    [/^\/(?:pr|pulls?|pull-requests?)\/([\w.-]+\/[\w.-]+)\/#?(\d{1,9})/, ([repo, number]) => pullPath(repo!, Number(number))],
    [/^\/([\w.-]+\/[\w.-]+)\/(?:pulls?|issues)\/(\d{1,9})/, ([repo, number]) => pullPath(repo!, Number(number))],
    [/^\/(?:b|downstreams?|backends?|badge)\/([\w.-]+\/[\w.-]+?)(?:\.svg|\.atom)?$/, ([repo]) => downstreamPath(repo!)],
    [/^\/(?:delivery|deliveries)\/([0-9a-f-]{8,})/, ([id]) => `/deliveries/${id}`],
    [/^\/jobs?\/(\d{1,15})/, ([id]) => `/job/${id}`],
    [/^(\/[\w-]+)\/?$/, ([page]) => page!],
  ];
  return told.flatMap(([shape, to]) => {
    const parts = shape.exec(plain);
    const address = parts && to(parts.slice(1));
    return address && address !== path && parse(address).page !== 'missing' ? [{ words: address, kind: 'instead', to: address }] : [];
  });
}

function alike(path: string, known: Known): Found[] {
  const words = path.split(/[^a-z0-9]+/).filter((word) => word.length > 1);
  const places: Found[] = [
    ...pages,
    ...known.downstreams.map((name) => ({ words: name, kind: 'downstream', to: downstreamPath(name) })),
  ];
  return places
    .map((place) => ({ place, far: Math.min(...words.map((word) => distance(word, place)), 9) }))
    .filter(({ far }) => far <= 2)
    .sort((a, b) => a.far - b.far)
    .map(({ place }) => place);
}

function distance(word: string, { words, to }: Found): number {
  const names = `${words} ${to}`.toLowerCase().split(/[^a-z0-9]+/);
  return Math.min(...names.filter((name) => name.length > 1).map((name) => apart(word, name) + (name.length < 4 ? 1 : 0)), 9);
}

// How many letters have to change: Levenshtein's distance.
export function apart(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
