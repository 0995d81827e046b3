// A rate is never a bare number: value, interval, sample size, and whether that is enough to tell.
import type { Schemas } from '../api';
import { count, percent, rateSentence, rateTone } from '../figures';
import { Mark } from './bits';

type Rate = Schemas['Rate'];

export function RateCell({ rate }: { rate: Rate }) {
  return (
    <span class="rate" title={rateSentence(rate)}>
      <span class={`rate-value tone-text-${rateTone(rate)}`}>{percent(rate.value)}</span>
      <Whisker rate={rate} />
      {rate.few && rate.value !== null && <Mark title="fewer than 20 samples">low data</Mark>}
      <span class="sub">
        {rate.low !== null && rate.high !== null && `${percent(rate.low)} to ${percent(rate.high)}, `}n {count(rate.n)}
      </span>
    </span>
  );
}

// The Wilson interval on a line from 50 to 100 %, with the value on it; hollow while there is little data. Rates live up there, and from 0 %
// an interval would be a dot; what is lower sits at the left end.
export function Whisker({ rate }: { rate: Rate }) {
  const width = 96;
  const x = (value: number) => 4 + Math.max(0, value - 0.5) * 2 * (width - 8);
  return (
    <svg class={`whisker tone-${rateTone(rate)}`} width={width} height="12" viewBox={`0 0 ${width} 12`} aria-hidden="true">
      <line class="whisker-track" x1={x(0.5)} x2={x(1)} y1="6" y2="6" />
      {rate.low !== null && rate.high !== null && <line class="whisker-span" x1={x(rate.low)} x2={x(rate.high)} y1="6" y2="6" />}
      {rate.value !== null && <circle class={rate.few ? 'whisker-few' : 'whisker-value'} cx={x(rate.value)} cy="6" r="3.5" />}
    </svg>
  );
}
