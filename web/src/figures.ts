// How a figure is written. The figures themselves are computed once, by the relay: nothing here calculates a rate.
import type { Schemas } from './api';
import type { Tone } from './words';

type Rate = Schemas['Rate'];

// 100 % only when nothing failed, 0 % only when nothing passed: 999 of 1,000 is 99.9 %.
export function percent(value: number | null): string {
  if (value === null) return '–';
  const tenths = Math.round(value * 1000);
  const kept = value < 1 ? Math.min(tenths, 999) : tenths;
  const shown = value > 0 ? Math.max(kept, 1) : kept;
  return `${(shown / 10).toFixed(shown === 1000 ? 0 : 1)} %`;
}

// The difference of two rates, in points of a hundred.
export function points(change: number): string {
  const tenths = Math.round(change * 1000) / 10;
  return `${tenths > 0 ? '+' : tenths < 0 ? '−' : '±'}${Math.abs(tenths).toFixed(1)} points`;
}

// What an axis of counts may count by.
export const countSteps = [1, 10, 100, 1000, 10_000, 100_000].flatMap((ten) => [ten, 2 * ten, 5 * ten]);

// A value of a benchmark, as exact as it was told but no longer than needed.
export function measure(value: number): string {
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(4)));
}

export function moreOrLess(change: number): string {
  const tenths = Math.round(change * 1000) / 10;
  return `${tenths > 0 ? '+' : tenths < 0 ? '−' : '±'}${Math.abs(tenths).toFixed(1)} %`;
}

export function count(number: number): string {
  return number.toLocaleString('en-US');
}

export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

// The one table of thresholds.
export function rateTone(rate: Rate): Tone {
  if (rate.value === null || rate.few) return 'none';
  if (rate.value >= 0.95) return 'success';
  return rate.value >= 0.8 ? 'timed_out' : 'failure';
}

export function rateSentence(rate: Rate): string {
  if (rate.value === null || rate.low === null || rate.high === null) return 'no sample yet';
  const few = rate.few ? '; low data' : '';
  return `${percent(rate.value)} of ${count(rate.n)}, 95 % interval ${percent(rate.low)} to ${percent(rate.high)}${few}`;
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// The relay's reasons are sentences without their ends. A name that comes first stays as it is.
export function asSentence(words: string): string {
  return words && `${/^[a-z]+\b(?![/_.-])/.test(words) ? capital(words) : words}${/[.!?]$/.test(words) ? '' : '.'}`;
}

export function bytes(number: number): string {
  if (number < 1024) return `${number} B`;
  if (number < 1024 * 1024) return `${(number / 1024).toFixed(1)} KiB`;
  return `${(number / 1024 / 1024).toFixed(1)} MiB`;
}

export function shortSha(sha: string): string {
  return sha.slice(0, 8);
}
