// A list that grows at its end, by scrolling or by a button; the address says by how much.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAnswer, type Answer } from '../answer';
import { read, type Address, type Trouble } from '../api';
import type { Interest } from '../changes';
import { plural } from '../figures';
import { joined, type Piece, type Ways } from '../more';
import { adjust, query } from '../nav';
import { text } from '../route';

const mostPieces = 100;

export interface Growing<Row> {
  answer: Answer<Piece<Row>>;
  rows: Row[];
  next: string | null;
  loading: boolean;
  trouble: Trouble | undefined;
  more: () => void;
  again: () => void;
}

// How many pieces stand behind the first one. Anything that is no number in the address counts as none.
function wantedPieces(): number {
  const said = Number(text(query.value, 'more'));
  return Number.isInteger(said) && said > 0 ? Math.min(said, mostPieces) : 0;
}

export function useGrowing<Row>(
  first: Address<Piece<Row>>,
  after: (cursor: string) => Address<Piece<Row>>,
  interest: Interest,
  ways: Ways<Row>,
): Growing<Row> {
  const answer = useAnswer(first, interest);
  const wanted = wantedPieces();
  const [older, setOlder] = useState<{ of: string; pieces: Piece<Row>[] }>({ of: first, pieces: [] });
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const [tries, setTries] = useState(0);
  const pieces = older.of === first ? older.pieces : [];
  const last = useRef<{ of: string; rows: Row[] }>({ of: first, rows: [] });
  const rows = useMemo(() => {
    const live = answer.data?.rows ?? [];
    // Without older pieces the first page is all there is, and what left it is gone.
    const behind =
      pieces.length === 0 ? [] : [...(last.current.of === first ? last.current.rows : []), ...pieces.flatMap((piece) => piece.rows)];
    const list = pieces.length === 0 ? live : joined(live, behind, ways);
    last.current = { of: first, rows: list };
    return list;
  }, [answer.data, older, first]);
  const next = (pieces.at(-1) ?? answer.data)?.next ?? null;
  // What another filter left standing while this one loads (checked is 0) has a cursor of its own.
  const busy = answer.data !== undefined && answer.checked > 0 && next !== null && pieces.length < wanted && trouble === undefined;
  useEffect(() => {
    if (!busy) return;
    let over = false;
    void read(after(next!), null).then((fetched) => {
      if (over) return;
      if (fetched.kind === 'data') setOlder({ of: first, pieces: [...pieces, fetched.data] });
      else if (fetched.kind === 'trouble') setTrouble(fetched.trouble);
    });
    return () => {
      over = true;
    };
  }, [busy, next, first, tries]);
  useEffect(() => setTrouble(undefined), [first]);
  return {
    answer,
    rows,
    next,
    loading: busy,
    trouble,
    more: () => {
      if (next !== null && !busy && !trouble && pieces.length < mostPieces) adjust({ more: String(pieces.length + 1) });
    },
    again: () => {
      setTrouble(undefined);
      setTries((n) => n + 1);
    },
  };
}

// The end of the list. Scrolled to, it loads more; while a filter hides rows only the button does, or all of history would come.
export function More<Row>({ list, what, auto }: { list: Growing<Row>; what: string; auto: boolean }) {
  const end = useRef<HTMLDivElement>(null);
  const { next, loading, trouble } = list;
  useEffect(() => {
    if (!auto || next === null || loading || trouble) return;
    // It has to come into sight: an end that stays there while the list grows would load all of history.
    let away = false;
    const seen = new IntersectionObserver((entries) => {
      const inSight = entries.some(({ isIntersecting }) => isIntersecting);
      if (inSight && away && scrolled(end.current)) list.more();
      away ||= !inSight;
    });
    seen.observe(end.current!);
    return () => seen.disconnect();
  }, [auto, next, loading, trouble]);
  return (
    <div class="more" ref={end}>
      <span class="quiet" role="status">
        {plural(list.rows.length, what)} {next === null ? 'in all' : 'loaded'}
        {loading && ', loading more'}
      </span>
      {trouble && (
        <span>
          {trouble.title}.{' '}
          <button type="button" class="link" onClick={list.again}>
            Try again
          </button>
        </span>
      )}
      {next !== null && !trouble && (
        <button type="button" class="small" onClick={list.more} disabled={loading}>
          Load more
        </button>
      )}
    </div>
  );
}

// Only whoever scrolls asks for more.
function scrolled(end: HTMLElement | null): boolean {
  return scrollY > 0 || (end?.closest('.frame')?.scrollTop ?? 0) > 0;
}
