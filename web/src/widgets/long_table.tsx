// The bodies of a long table: only what is near the screen is there. Blocks of rows come and go; what is not there is as high as it was.
import { Fragment, type ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { near, type Part } from '../more';

const block = 10;
const short = 100; // so many rows are simply drawn
const margin = 300; // pixels above and below the screen

interface Props<Row> {
  rows: Row[];
  span: number; // columns
  height: number; // of a row, as a first guess
  keyOf: (row: Row) => string;
  draw: (row: Row, at: number) => ComponentChildren;
}

export function LongBodies<Row>({ rows, span, height, keyOf, draw }: Props<Row>) {
  const long = rows.length > short;
  const start = useRef<HTMLTableSectionElement>(null);
  const heights = useRef(new Map<string, number>()); // by the first row of a block
  const guess = useRef<number | null>(null); // once measured it stays: a new one would move what is on the screen
  const blocks = Math.ceil(rows.length / block);
  const [part, setPart] = useState<Part>({ from: 0, until: 4, above: 0, below: 0 });
  const nameOf = (at: number) => keyOf(rows[at * block]!);
  const measure = () => {
    if (!start.current) return;
    const top = start.current.getBoundingClientRect().top;
    const guessed = (at: number) => (guess.current ?? height) * Math.min(block, rows.length - at * block);
    const next = near(blocks, (at) => heights.current.get(nameOf(at)) ?? guessed(at), -top - margin, innerHeight - top + margin);
    setPart((now) => (same(now, next) ? now : next));
  };
  useLayoutEffect(() => {
    if (!long) return;
    const drawn = start.current?.parentElement?.querySelectorAll<HTMLTableSectionElement>('tbody[data-block]') ?? [];
    for (const body of drawn) {
      const tall = body.getBoundingClientRect().height;
      heights.current.set(nameOf(Number(body.dataset.block)), tall);
      guess.current ??= tall / body.rows.length;
    }
    measure();
  });
  useEffect(() => {
    if (!long) return;
    const again = () => {
      heights.current.clear();
      guess.current = null;
      measure();
    };
    document.addEventListener('scroll', measure, { capture: true, passive: true });
    addEventListener('resize', again);
    return () => {
      document.removeEventListener('scroll', measure, { capture: true });
      removeEventListener('resize', again);
    };
  }, [long, rows]);
  const one = (row: Row, at: number) => <Fragment key={keyOf(row)}>{draw(row, at)}</Fragment>;
  if (!long) return <tbody>{rows.map(one)}</tbody>;
  const from = Math.min(part.from, Math.max(0, blocks - 1));
  const until = Math.min(part.until, blocks);
  return (
    <>
      <Space inside={start} span={span} height={part.above} />
      {Array.from({ length: Math.max(0, until - from) }, (_, index) => from + index).map((at) => (
        <tbody key={at} data-block={at}>
          {rows.slice(at * block, (at + 1) * block).map((row, index) => one(row, at * block + index))}
        </tbody>
      ))}
      <Space span={span} height={part.below} />
    </>
  );
}

function Space({ inside, span, height }: { inside?: preact.RefObject<HTMLTableSectionElement | null>; span: number; height: number }) {
  return (
    <tbody ref={inside} class="space" aria-hidden="true">
      <tr>
        <td colSpan={span} style={{ height: `${height}px` }} />
      </tr>
    </tbody>
  );
}

function same(a: Part, b: Part): boolean {
  return a.from === b.from && a.until === b.until && Math.abs(a.above - b.above) < 1 && Math.abs(a.below - b.below) < 1;
}
