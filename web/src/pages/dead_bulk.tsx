// Sends all dispatches of one reason again, one after the other, and says how far it is.
import { useEffect, useRef, useState } from 'preact/hooks';
import { address, read, type Fetched, type Schemas, type Trouble } from '../api';
import { count, plural } from '../figures';
import { token } from '../may_act';
import { redeliver } from '../orders';
import { Act, type Filled } from '../widgets/act';
import { Name } from '../widgets/bits';

type Group = Schemas['DeadGroup'];

export interface Progress {
  sent: number;
  failed: number;
  trouble: Trouble | null; // the newest
  over: boolean;
}

// Works through the pages of the list. What was sent again leaves it, and the cursor goes on behind what was seen.
export async function redeliverAll(group: Group, shown: string, tell: (progress: Progress) => void, stopped: () => boolean): Promise<void> {
  const progress: Progress = { sent: 0, failed: 0, trouble: null, over: false };
  const asked = { downstream: group.downstream, reason: group.reason, kind: 'dispatch', limit: 200 };
  let cursor: string | null = '';
  while (cursor !== null && !stopped()) {
    const page: Fetched<Schemas['Dead']> = await read(address('/api/v1/dead', {}, { ...asked, cursor }), null);
    if (page.kind !== 'data') {
      progress.trouble = page.kind === 'trouble' ? page.trouble : null;
      break;
    }
    for (const { delivery, downstream } of page.data.dispatches) {
      if (stopped()) break;
      const result = await redeliver(delivery, downstream, shown);
      if (typeof result === 'string') progress.sent += 1;
      else {
        progress.failed += 1;
        progress.trouble = result;
      }
      tell({ ...progress });
      if (progress.trouble && [401, 403, 0].includes(progress.trouble.status)) return tell({ ...progress, over: true });
    }
    cursor = page.data.next;
  }
  tell({ ...progress, over: true });
}

export interface Bulk {
  group: Group | null; // null: none was begun here
  progress: Progress;
  begin: (group: Group, shown: string) => void;
  stop: () => void;
}

// One group at a time; whoever leaves the page stops it.
export function useBulk(done: () => void): Bulk {
  const [group, setGroup] = useState<Group | null>(null);
  const [progress, setProgress] = useState<Progress>({ sent: 0, failed: 0, trouble: null, over: true });
  const stopped = useRef(false);
  const stop = () => void (stopped.current = true);
  useEffect(() => stop, []);
  const begin = (which: Group, shown: string) => {
    stopped.current = false;
    setGroup(which);
    setProgress({ sent: 0, failed: 0, trouble: null, over: false });
    const tell = (told: Progress) => {
      if (told.trouble?.status === 401) token.value = '';
      setProgress(told);
      if (told.over) done();
    };
    void redeliverAll(which, shown, tell, () => stopped.current);
  };
  return { group, progress, begin, stop };
}

export function BulkProgress({ bulk: { group, progress, stop } }: { bulk: Bulk }) {
  if (!group) return null;
  const seen = progress.sent + progress.failed;
  if (!progress.over)
    return (
      <p class="bulk">
        <progress max={group.count} value={seen} aria-label={`Sending again for ${group.downstream}`} />
        <span>
          {count(seen)} of {count(group.count)} for <Name>{group.downstream}</Name>
        </span>
        <button type="button" class="small" onClick={stop}>
          Stop
        </button>
      </p>
    );
  return (
    <p class="bulk" role="status">
      <span>
        {plural(progress.sent, 'dispatch', 'dispatches')} for <Name>{group.downstream}</Name> sent again
        {progress.failed > 0 && `, ${count(progress.failed)} not`}
        {progress.trouble && `: ${progress.trouble.title}. ${progress.trouble.detail}`}
      </span>
    </p>
  );
}

export function RedeliverAll({ group, bulk }: { group: Group; bulk: Bulk }) {
  if (!bulk.progress.over) return null;
  const order = {
    title: `Send ${plural(group.count, 'dispatch', 'dispatches')} again`,
    explain: (
      <p>
        All that were given up for <bdi>{group.downstream}</bdi> with the reason “<bdi>{group.reason}</bdi>”, one after the other. You can
        stop in between, and leaving the page stops it; what was sent again stays so.
      </p>
    ),
    verb: `Send ${count(group.count)} again`,
    fields: [],
    always: true,
    run: async (_: Filled, shown: string) => {
      bulk.begin(group, shown);
      return '';
    },
  };
  return <Act words={`Send all ${count(group.count)} again`} order={order} done={() => {}} />;
}
