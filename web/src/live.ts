// One stream of changes for all open parts of the page. It goes on behind the last id that was seen, so that nothing is missed and
// nothing comes twice; a hidden or paused page listens to nothing and catches up when it is looked at again.
import { computed, signal } from '@preact/signals';
import { backoff, concerns, Gatherer, parseChange, type Change, type Interest, type LiveState } from './changes';

interface Listener {
  interest: Interest;
  reload: () => void;
}

const listeners = new Set<Listener>();
const paused = signal(false);
const connection = signal<'none' | 'open' | 'lost'>('none');
const hidden = signal(document.hidden);
let source: EventSource | null = null;
let last: string | null = null; // the newest id that our data may be older than
export const losses = signal(0); // in a row
let retry: ReturnType<typeof setTimeout> | undefined;

export const live = computed<LiveState>(() => {
  if (paused.value) return 'paused';
  if (connection.value === 'open') return 'live';
  return connection.value === 'lost' ? 'away' : 'connecting';
});

const gatherer = new Gatherer(
  (changes: Change[]) => {
    for (const listener of listeners) if (changes.some((change) => concerns(listener.interest, change))) listener.reload();
  },
  (run, ms) => setTimeout(run, ms),
);

export function listen(interest: Interest, reload: () => void): () => void {
  const listener = { interest, reload };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// The first answer says from where to listen. Later answers are newer than the stream that is already open.
export function startFrom(id: string | undefined): void {
  if (last === null && id !== undefined) last = id;
  if (!source && !retry) connect();
}

export function togglePause(): void {
  paused.value = !paused.value;
  follow();
}

export function reloadAll(): void {
  for (const listener of listeners) listener.reload();
}

document.addEventListener('visibilitychange', () => {
  hidden.value = document.hidden;
  follow();
});

function follow(): void {
  if (paused.value || hidden.value) {
    close();
    connection.value = 'none';
  } else if (!source) {
    connect();
  }
}

function connect(): void {
  if (paused.value || hidden.value) return;
  close();
  const from = last;
  const opened = new EventSource(from === null ? '/api/v1/stream' : `/api/v1/stream?from=${encodeURIComponent(from)}`);
  source = opened;
  opened.addEventListener('open', () => {
    const back = losses.value > 0;
    losses.value = 0;
    connection.value = 'open';
    if (back || from === null) reloadAll(); // what could not be loaded is asked for at once; what came before the stream is in no event
  });
  opened.addEventListener('change', (event: MessageEvent<string>) => {
    if (event.lastEventId) last = event.lastEventId;
    const change = parseChange(event.data);
    if (change) gatherer.add(change);
  });
  opened.addEventListener('resync', (event: MessageEvent<string>) => {
    last = event.lastEventId || null;
    reloadAll();
  });
  opened.addEventListener('error', () => {
    close();
    losses.value += 1;
    connection.value = 'lost';
    retry = setTimeout(connect, backoff(losses.value));
    if (losses.value === 1) reloadAll(); // the stream alone, or the whole relay? The page says which
  });
}

function close(): void {
  clearTimeout(retry);
  retry = undefined;
  source?.close();
  source = null;
}
