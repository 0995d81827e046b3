// Arrow keys in a table of links. Elements carry data-spot="row:column"; one of them is Tab's way in.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { step } from '../grid_rows';

export function spotOf(target: EventTarget | null): { row: number; column: number } | null {
  const said = target instanceof HTMLElement ? target.dataset.spot : undefined;
  if (!said) return null;
  const [row = 0, column = 0] = said.split(':').map(Number);
  return { row, column };
}

export function focusSpot(host: HTMLElement, { row, column }: { row: number; column: number }): void {
  const target = host.querySelector<HTMLElement>(`[data-spot="${row}:${column}"]`);
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

export function useSpots<Host extends HTMLElement>() {
  const host = useRef<Host>(null);
  const [stop, setStop] = useState('');
  useLayoutEffect(() => {
    const all = [...(host.current?.querySelectorAll<HTMLElement>('[data-spot]') ?? [])];
    if (all.length > 0 && !all.some(({ dataset }) => dataset.spot === stop)) setStop(all[0]!.dataset.spot!);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const from = spotOf(event.target);
    if (!from || !host.current) return;
    const rows: number[][] = [];
    for (const element of host.current.querySelectorAll<HTMLElement>('[data-spot]')) {
      const { row, column } = spotOf(element)!;
      (rows[row] ??= []).push(column);
    }
    const next = step(
      Array.from(rows, (row) => row ?? []),
      from,
      event.key,
    );
    if (!next) return;
    event.preventDefault();
    focusSpot(host.current, next);
  };
  const onFocusCapture = (event: FocusEvent) => {
    const said = event.target instanceof HTMLElement ? event.target.dataset.spot : undefined;
    if (said) setStop(said);
  };
  const spot = (row: number, column: number) => ({
    'data-spot': `${row}:${column}`,
    tabIndex: stop === `${row}:${column}` ? 0 : -1,
  });
  return { host, spot, keys: { onKeyDown, onFocusCapture } };
}
