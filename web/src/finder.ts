// What the palette finds. Pure: from the text and what is known, in order of likelihood.
import { clusterPath, downstreamPath, pathOf, pullPath, testPath } from './route';

export interface Known {
  upstreams: string[];
  downstreams: string[];
}

export interface Found {
  words: string;
  kind: string;
  to: string;
}

export const pages: Found[] = [
  { words: 'Overview', kind: 'page', to: '/' },
  { words: 'Pull requests', kind: 'page', to: '/pulls' },
  { words: 'Matrix', kind: 'page', to: '/matrix' },
  { words: 'Failure clusters', kind: 'page', to: '/clusters' },
  { words: 'Trends', kind: 'page', to: '/trends' },
  { words: 'Levels: the ladder', kind: 'page', to: '/levels' },
  { words: 'Platform quality', kind: 'page', to: '/quality' },
  { words: 'Deliveries', kind: 'page', to: '/deliveries' },
  { words: 'Given up: dead letters', kind: 'page', to: '/dead' },
  { words: 'Help and definitions', kind: 'page', to: '/help' },
  { words: 'Status of the relay', kind: 'page', to: '/status' },
  { words: 'Refused reports', kind: 'page', to: '/refused' },
  { words: 'Allowlist', kind: 'page', to: '/allowlist' },
  { words: 'Audit: who did what', kind: 'page', to: '/audit' },
  { words: 'Flaky jobs', kind: 'page', to: '/flaky' },
  { words: 'Nightlies', kind: 'page', to: '/nightly' },
  { words: 'Suites by devices', kind: 'page', to: '/suites' },
  { words: 'Benchmarks', kind: 'page', to: '/benchmarks' },
];

const most = 12;

export function find(text: string, known: Known): Found[] {
  const wanted = text.trim();
  if (!wanted) return [...pages, ...downstreams('', known)].slice(0, most);
  return [
    ...pull(wanted, known),
    ...delivery(wanted),
    ...job(wanted),
    ...failure(wanted),
    ...named(wanted),
    ...downstreams(wanted, known),
  ].slice(0, most);
}

// 1234, #1234, owner/name#1234, or the pull request's address on GitHub.
function pull(wanted: string, known: Known): Found[] {
  const told = /^(?:https?:\/\/[^/]+\/)?([\w.-]+\/[\w.-]+)(?:#|\/pull\/)(\d{1,9})\b/.exec(wanted);
  if (told) return [toPull(told[1]!, Number(told[2]))];
  const number = /^#?(\d{1,9})$/.exec(wanted);
  return number ? known.upstreams.map((upstream) => toPull(upstream, Number(number[1]))) : [];
}

function toPull(upstream: string, number: number): Found {
  return { words: `${upstream} #${number}`, kind: 'pull request', to: pullPath(upstream, number) };
}

function delivery(wanted: string): Found[] {
  const looksSo = /^[0-9a-f]{8}-[0-9a-f-]{8,}$/i.test(wanted);
  return looksSo ? [{ words: wanted, kind: 'delivery', to: pathOf({ page: 'delivery', id: wanted }) }] : [];
}

function job(wanted: string): Found[] {
  const told = /^job\s+(\d{1,15})$/i.exec(wanted);
  return told ? [{ words: `Job ${told[1]}`, kind: 'job', to: pathOf({ page: 'job', id: Number(told[1]) }) }] : [];
}

// A cluster by its id, a test by its name: one with ::, or written behind the word test.
function failure(wanted: string): Found[] {
  if (/^[0-9a-f]{16}$/i.test(wanted)) return [{ words: wanted, kind: 'cluster', to: clusterPath(wanted.toLowerCase()) }];
  const name = /^test\s+(\S.*)$/i.exec(wanted)?.[1] ?? (wanted.includes('::') ? wanted : null);
  return name === null ? [] : [{ words: name, kind: 'test', to: testPath(name) }];
}

function named(wanted: string): Found[] {
  const low = wanted.toLowerCase();
  return pages.filter(({ words }) => words.toLowerCase().includes(low));
}

function downstreams(wanted: string, known: Known): Found[] {
  const low = wanted.toLowerCase();
  return known.downstreams
    .filter((name) => name.toLowerCase().includes(low))
    .map((name) => ({ words: name, kind: 'downstream', to: downstreamPath(name) }));
}
