// Grades and the documented level, release by release, as two lines of steps. The table beside it says the same.
import type { Schemas } from '../api';

type Point = Schemas['QualityPoint'];

const wide = 84; // of a release
const high = 34; // of a rank
const left = 96;

export function GradeSteps({ points, levels }: { points: Point[]; levels: Schemas['QualityLevel'][] }) {
  const top = Math.max(1, ...levels.map(({ rank }) => rank));
  const y = (rank: number) => 14 + (top - rank) * high;
  const width = left + points.length * wide;
  const height = y(0) + 34;
  const said = points.map(({ release, grade, documented }) => `${release}: ${grade ?? 'not assessed'}, documented ${documented}`).join('; ');
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Grades over releases">
      <svg class="grade-steps" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={said}>
        {levels.map(({ rank, name }) => (
          <g key={rank}>
            <line class="grade-line" x1={left} x2={width} y1={y(rank)} y2={y(rank)} />
            <text x={left - 8} y={y(rank) + 4} text-anchor="end">
              {name}
            </text>
          </g>
        ))}
        {points.map(({ release }, at) => (
          <text key={release} x={left + (at + 0.5) * wide} y={height - 6} text-anchor="middle">
            {release}
          </text>
        ))}
        <path class="grade-documented" d={stepsOf(points.map(({ documented_rank: rank }) => rank), (rank) => y(rank) + 2)} />
        <path class="grade-graded" d={stepsOf(points.map(({ rank }) => rank), (rank) => y(rank) - 2)} />
      </svg>
    </div>
  );
}

// A release without a grade is a gap.
function stepsOf(ranks: (number | null)[], y: (rank: number) => number): string {
  return ranks
    .map((rank, at) => {
      if (rank === null) return '';
      const from = left + at * wide;
      const begin = at > 0 && ranks[at - 1] !== null && ranks[at - 1] !== undefined ? 'L' : 'M';
      return `${begin}${from} ${y(rank)}L${from + wide} ${y(rank)}`;
    })
    .join('');
}
