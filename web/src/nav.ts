// Where the reader is. Every control of a page lives in the address, so that a link shows what the sender saw.
import { computed, signal } from '@preact/signals';
import { changed, parse } from './route';

const place = signal(here());

export const route = computed(() => parse(place.value.path));
export const query = computed(() => place.value.query);
export const path = computed(() => place.value.path);
export const fragment = computed(() => place.value.hash);

export function go(to: string): void {
  history.pushState(null, '', to);
  place.value = here();
  if (!location.hash) scrollTo(0, 0);
  // The focus goes along, so that a screen reader says where one is and Tab starts there.
  requestAnimationFrame(() => document.getElementById('main')?.focus({ preventScroll: true }));
}

// Changes controls of this page in place: no new entry in the history for each of them.
export function adjust(changes: Record<string, string | null | undefined>): void {
  history.replaceState(null, '', adjusted(changes));
  place.value = here();
}

export function adjusted(changes: Record<string, string | null | undefined>): string {
  return place.value.path + changed(place.value.query, changes);
}

// Plain clicks on our own links stay in this page; everything else is the browser's.
export function listen(): void {
  addEventListener('popstate', () => (place.value = here()));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.('a');
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download') || link.rel === 'alternate') return;
    if (/^\/(api|badge|feeds|metrics|readyz)(\/|$)/.test(link.pathname)) return;
    if (link.pathname === location.pathname && link.search === location.search && link.hash) return;
    event.preventDefault();
    if (link.dataset.adjust !== undefined) {
      history.replaceState(null, '', link.href);
      place.value = here();
    } else {
      go(link.href);
    }
  });
}

function here() {
  return { path: location.pathname, query: location.search, hash: location.hash };
}
