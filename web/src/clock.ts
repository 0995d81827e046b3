// The present, once a second while the page is seen, and in whose clock it is told.
import { signal } from '@preact/signals';
import { remember, remembered } from './theme';
import type { Zone } from './time';

// Ages are told against the relay's clock, of which each fresh answer brings the time: the reader's own may be wrong.
let ahead = 0;

export const now = signal(Date.now());
export const zone = signal<Zone>(remembered('baton.zone') === 'local' ? 'local' : 'utc');

export function switchZone(): void {
  zone.value = zone.value === 'utc' ? 'local' : 'utc';
  remember('baton.zone', zone.value);
}

export function setClock(relayTime: string): void {
  const moment = Date.parse(relayTime);
  if (Number.isNaN(moment)) return;
  const gap = moment - Date.now();
  ahead = Math.abs(gap) > 2000 ? gap : 0;
  now.value = Date.now() + ahead;
}

export function tick(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now() + ahead;
  }, 1000);
}
