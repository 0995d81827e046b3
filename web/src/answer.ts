// What a page holds of one address: the last good data, and what went wrong since. Data stays when the relay is away.
import { effect, signal, type Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { read, type Address, type Trouble } from './api';
import { backoff, type Interest } from './changes';
import { setClock } from './clock';
import { listen, live, startFrom } from './live';

export interface Answer<T> {
  data: T | undefined;
  trouble: Trouble | undefined;
  loading: boolean;
  checked: number; // when the relay last said that this is how it is; 0: never
  retry: () => void;
}

const poll = 60_000; // beside the stream, for what no event tells
const kept = new Map<string, { data: unknown; etag: string | null; checked: number }>();
const keptMost = 60;

// Tells the frame around the page how fresh it is: the oldest of what is shown.
export const shown = signal<ReadonlyMap<string, Answer<unknown>>>(new Map());

class Holder<T> {
  readonly state: Signal<Answer<T>>;
  private busy = false;
  private again = false;
  private over = false;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly from: Address<T>) {
    const known = kept.get(from);
    this.state = signal({
      data: known?.data as T | undefined,
      trouble: undefined,
      loading: true,
      checked: known?.checked ?? 0,
      retry: () => void this.load(),
    });
  }

  async load(): Promise<void> {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    clearTimeout(this.timer);
    this.state.value = { ...this.state.value, loading: true };
    const known = kept.get(this.from);
    const fetched = await read(this.from, known?.etag ?? null);
    this.busy = false;
    if (this.over) return;
    if (fetched.kind === 'trouble') this.failed(fetched.trouble);
    else if (fetched.kind === 'same') this.succeeded(known?.data as T, known?.etag ?? null);
    else this.fresh(fetched.data, fetched.etag);
    if (this.again) {
      this.again = false;
      void this.load();
    }
  }

  stop(): void {
    this.over = true;
    clearTimeout(this.timer);
  }

  private fresh(data: T, etag: string | null): void {
    setClock((data as { as_of?: string }).as_of ?? '');
    this.succeeded(data, etag);
  }

  private succeeded(data: T, etag: string | null): void {
    const checked = Date.now();
    kept.delete(this.from);
    kept.set(this.from, { data, etag, checked });
    if (kept.size > keptMost) kept.delete(kept.keys().next().value!);
    this.failures = 0;
    this.state.value = { ...this.state.value, data, trouble: undefined, loading: false, checked };
    startFrom((data as { stream_id?: string }).stream_id);
    this.timer = setTimeout(() => void this.poll(), poll);
  }

  // Whoever looks again after a while wants to see how it is now.
  seen(): void {
    if (!document.hidden && live.peek() !== 'paused' && Date.now() - this.state.peek().checked > poll) void this.load();
  }

  private failed(trouble: Trouble): void {
    this.failures += 1;
    this.state.value = { ...this.state.value, trouble, loading: false };
    if (trouble.passing) this.timer = setTimeout(() => void this.load(), trouble.retryAfter ?? backoff(this.failures));
    else startFrom(undefined); // an answer too: what is not known now may come, and the stream will tell
  }

  private poll(): void {
    if (live.value === 'paused' || document.hidden) this.timer = setTimeout(() => this.poll(), poll);
    else void this.load();
  }
}

export function useAnswer<T>(from: Address<T>, interest: Interest): Answer<T> {
  const holder = useMemo(() => new Holder<T>(from), [from]);
  useEffect(() => {
    void holder.load();
    const deaf = listen(interest, () => void holder.load());
    const silent = effect(() => show(from, holder.state.value));
    const seen = () => holder.seen();
    document.addEventListener('visibilitychange', seen);
    return () => {
      deaf();
      silent();
      document.removeEventListener('visibilitychange', seen);
      holder.stop();
      show(from, undefined);
    };
  }, [holder]);
  // While another view of the same thing loads (a longer window, say), the one before stays.
  const before = useRef<T | undefined>(undefined);
  const answer = holder.state.value;
  if (answer.data !== undefined) before.current = answer.data;
  return answer.data === undefined && answer.loading ? { ...answer, data: before.current } : answer;
}

function show(from: string, answer: Answer<unknown> | undefined): void {
  const next = new Map(shown.peek());
  if (answer) next.set(from, answer);
  else next.delete(from);
  shown.value = next;
}

// What is already here of an address, for those who only look (the palette).
export function peek<T>(from: Address<T>): T | undefined {
  return kept.get(from)?.data as T | undefined;
}
