// A criterion over the last evaluations, as a line the height of its row: values, gaps, and the target as a dashed line.
import type { Schemas } from '../api';
import { target, written } from '../level_words';

type Criterion = Schemas['LevelCriterion'];

const width = 132;
const height = 30;
const edge = 4;

export function Spark({ criterion }: { criterion: Criterion }) {
  const values = criterion.trend.map(({ value }) => value);
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return <span class="quiet">nothing yet</span>;
  const all = [...known, criterion.target];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (index: number) => edge + (index * (width - 2 * edge)) / Math.max(1, values.length - 1);
  const y = (value: number) => height - edge - ((value - low) * (height - 2 * edge)) / (high - low || 1);
  const last = values.reduce<number>((found, value, index) => (value === null ? found : index), 0);
  const [from, to] = [known[0]!, known.at(-1)!].map((value) => written(value, criterion.unit));
  const what = criterion.bound === 'none' ? '' : `${criterion.bound} bound, `;
  const said = `${what}${criterion.trend.length} evaluations, from ${from} to ${to}; asked for: ${target(criterion)}`;
  return (
    <svg class={`spark spark-${criterion.met}`} width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={said}>
      <title>{said}</title>
      <line class="spark-target" x1={edge} x2={width - edge} y1={y(criterion.target)} y2={y(criterion.target)} />
      <path class="spark-line" d={path(values, x, y)} />
      <circle class="spark-now" cx={x(last)} cy={y(values[last]!)} r="3" />
    </svg>
  );
}

// What is not known is a gap; a value between two gaps is a dot.
function path(values: (number | null)[], x: (index: number) => number, y: (value: number) => number): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const start = index === 0 || values[index - 1] === null;
      const place = `${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
      return start ? `M${place}h.01` : `L${place}`;
    })
    .join('');
}
