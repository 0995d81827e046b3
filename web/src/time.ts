// Words for moments and spans. Pure: the present and the zone are arguments.

export type Zone = 'utc' | 'local';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

// "3 min ago", "in 2 h". One unit only: the exact moment stands in the title.
export function ago(moment: number, now: number): string {
  const gap = now - moment;
  const size = Math.abs(gap);
  if (size < 5 * second) return 'just now';
  const words = rough(size);
  return gap < 0 ? `in ${words}` : `${words} ago`;
}

// "for 3 min" of what began and lasts; what began this moment is "just now".
export function lasting(moment: number, now: number): string {
  const words = ago(moment, now);
  return words.endsWith(' ago') ? `for ${words.slice(0, -4)}` : words;
}

export function rough(span: number): string {
  if (span < minute) return `${Math.floor(span / second)} s`;
  if (span < hour) return `${Math.floor(span / minute)} min`;
  if (span < 2 * day) return `${Math.floor(span / hour)} h`;
  return `${Math.floor(span / day)} d`;
}

// A span as it was measured: "840 ms", "12.3 s", "4 min 05 s", "2 h 10 min".
export function duration(span: number | null): string {
  if (span === null || !Number.isFinite(span)) return '–';
  if (span < 0) return `−${duration(-span)}`;
  if (span < second) return `${Math.round(span)} ms`;
  if (span < minute) return `${(Math.floor(span / 100) / 10).toFixed(1)} s`;
  if (span < hour) return `${Math.floor(span / minute)} min ${two(Math.floor((span % minute) / second))} s`;
  if (span < 2 * day) return `${Math.floor(span / hour)} h ${two(Math.floor((span % hour) / minute))} min`;
  return `${Math.floor(span / day)} d ${Math.floor((span % day) / hour)} h`;
}

// "2026-11-16 02:33:10 UTC", or the reader's own clock with its offset.
export function stamp(moment: number, zone: Zone): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return 'no time';
  if (zone === 'utc') return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const offset = -date.getTimezoneOffset();
  const shifted = new Date(moment + offset * minute).toISOString();
  return `${shifted.slice(0, 19).replace('T', ' ')} ${offsetWords(offset)}`;
}

// Time of day alone, for lines whose day is clear.
export function clock(moment: number, zone: Zone): string {
  return stamp(moment, zone).slice(11, 19);
}

// A moment that no clock near ours can have meant. It is shown and marked, never hidden.
export function implausible(moment: number, now: number): boolean {
  return !(moment > Date.UTC(2015, 0, 1)) || moment > now + 5 * minute;
}

function offsetWords(minutes: number): string {
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
