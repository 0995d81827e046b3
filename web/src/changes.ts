// What changed, and whom it concerns. Pure, apart from the timer that Gatherer is given.

export type LiveState = 'live' | 'connecting' | 'paused' | 'away';

export interface Change {
  topic: string; // pull, downstream, relay
  upstream: string;
  number: number | null;
  downstream: string;
}

// What a part of a page wants to hear of. What is not named matches everything.
export interface Interest {
  topics: readonly string[];
  upstream?: string;
  number?: number;
  downstream?: string;
}

// GitHub's names are the same in any case of letters.
function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function concerns(interest: Interest, change: Change): boolean {
  if (!interest.topics.includes(change.topic)) return false;
  if (interest.upstream !== undefined && !sameName(change.upstream, interest.upstream)) return false;
  if (interest.number !== undefined && change.number !== interest.number) return false;
  return interest.downstream === undefined || sameName(change.downstream, interest.downstream);
}

// Untrusted until looked at: a change that cannot be read tells nothing and is left out.
export function parseChange(data: string): Change | null {
  try {
    const said = JSON.parse(data) as Record<string, unknown> | null;
    if (typeof said !== 'object' || said === null || typeof said.topic !== 'string') return null;
    return {
      topic: said.topic,
      upstream: typeof said.upstream === 'string' ? said.upstream : '',
      number: typeof said.number === 'number' ? said.number : null,
      downstream: typeof said.downstream === 'string' ? said.downstream : '',
    };
  } catch {
    return null;
  }
}

type Wait = (run: () => void, ms: number) => unknown;

// Brings changes together: 250 ms after the first of them all are told at once, each only once.
export class Gatherer {
  private waiting = new Map<string, Change>();

  constructor(
    private readonly tell: (changes: Change[]) => void,
    private readonly wait: Wait,
    private readonly pause = 250,
  ) {}

  add(change: Change): void {
    const first = this.waiting.size === 0;
    this.waiting.set([change.topic, change.upstream, change.number, change.downstream].join('\n'), change);
    if (first) this.wait(() => this.flush(), this.pause);
  }

  private flush(): void {
    const changes = [...this.waiting.values()];
    this.waiting.clear();
    if (changes.length) this.tell(changes);
  }
}

// Seconds before the next try to reach a relay that is away: 1, 2, 4, 8, 15, 15, …
export function backoff(failures: number): number {
  return Math.min(1000 * 2 ** Math.max(0, failures - 1), 15_000);
}
