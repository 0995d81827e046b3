// Keys that work everywhere. Typing into a field is never taken for a command.
import { signal } from '@preact/signals';
import { go } from '../nav';

export type Layer = 'none' | 'palette' | 'keys';

export const layer = signal<Layer>('none');

export function open(which: Layer): void {
  layer.value = which;
}

export function closeLayers(): void {
  layer.value = 'none';
}

export const keySheet: { keys: string[]; does: string }[] = [
  { keys: ['/', 'Ctrl K'], does: 'search: a pull request, a repository, a delivery, a page' },
  { keys: ['j', 'k'], does: 'next and previous row' },
  { keys: ['Enter'], does: 'open what is focused' },
  { keys: ['← ↑ ↓ →'], does: 'move between the cells of a grid that are not green' },
  { keys: ['g o'], does: 'overview' },
  { keys: ['g p'], does: 'pull requests' },
  { keys: ['g d'], does: 'deliveries' },
  { keys: ['g s'], does: 'status of the relay' },
  { keys: ['g l', 'g r', 'g w', 'g a'], does: 'what was given up, refused reports, the allowlist, the audit' },
  { keys: ['g f'], does: 'failures' },
  { keys: ['g t'], does: 'trends' },
  { keys: ['g v'], does: 'levels' },
  { keys: ['g m'], does: 'the matrix of all pull requests by all downstreams' },
  { keys: ['?'], does: 'this sheet' },
  { keys: ['Escape'], does: 'close' },
];

const places: Record<string, string> = {
  o: '/',
  p: '/pulls',
  d: '/deliveries',
  l: '/dead',
  h: '/help',
  m: '/matrix',
  f: '/clusters',
  t: '/trends',
  v: '/levels',
  s: '/status',
  r: '/refused',
  w: '/allowlist',
  a: '/audit',
};
let afterG = false;

export function listenToKeys(): () => void {
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

function onKey(event: KeyboardEvent): void {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    open('palette');
    return;
  }
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    layer.value !== 'none' ||
    typing(event.target) ||
    document.querySelector('dialog[open]')
  )
    return;
  const place = afterG ? places[event.key] : undefined;
  afterG = event.key === 'g';
  if (place) go(place);
  else if (event.key === '/') open('palette');
  else if (event.key === '?') open('keys');
  else if (event.key === 'j' || event.key === 'k') moveRow(event.key === 'j' ? 1 : -1);
  else return;
  event.preventDefault();
}

// Rows carry data-row; the focus goes to their first link or button.
function moveRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')].filter((row) => row.querySelector('a, button, summary'));
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by));
  const target = rows[next]?.querySelector<HTMLElement>('a, button, summary');
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
}

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
}
