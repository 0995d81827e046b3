// Lines and bars over time. A value that is not there is a gap. What is under the pointer is told in words above.
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { zone } from '../clock';
import { stamp } from '../time';
import { dayAxis, look, utc } from './day_axis';
import type { Line, LinesProps } from './lines_later';

export function Lines(props: LinesProps) {
  const { label, at, lines, write, days, pick } = props;
  const box = useRef<HTMLDivElement>(null);
  const [under, setUnder] = useState<number | null>(null);
  const picked = useRef(pick);
  picked.current = pick;
  const shape = JSON.stringify([at, lines, props.marked, props.zero]);
  useEffect(() => {
    const host = box.current!;
    let plot = draw(host, props, setUnder, (index) => picked.current?.(index));
    const redraw = () => {
      plot.destroy();
      plot = draw(host, props, setUnder, (index) => picked.current?.(index));
    };
    const sized = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height: 180 }));
    const themed = new MutationObserver(redraw);
    sized.observe(host);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-contrast'] });
    return () => {
      sized.disconnect();
      themed.disconnect();
      plot.destroy();
    };
  }, [shape]);
  const moment = under === null ? null : (at[under] ?? null);
  return (
    <div class={`chart low ${pick ? 'picks' : ''}`}>
      <p class="quiet chart-line">
        {moment !== null && <strong>{days ? stamp(moment * 1000, 'utc').slice(0, 10) : stamp(moment * 1000, zone.value)} </strong>}
        {lines.map((line) => (
          <span key={line.name} class="key">
            <Sample line={line} /> <bdi>{line.name}</bdi> {under !== null && told(line.values[under], write)}
          </span>
        ))}
      </p>
      <div ref={box} role="img" aria-label={label} />
    </div>
  );
}

function told(value: number | null | undefined, write: (value: number) => string): string {
  return value === null || value === undefined ? '–' : write(value);
}

function Sample({ line }: { line: Line }) {
  return (
    <svg width="22" height="8" viewBox="0 0 22 8" aria-hidden="true">
      {line.bars ? (
        <rect x="7" y="0" width="8" height="8" class={`stroke${line.colour}`} />
      ) : (
        <line x1="0" x2="22" y1="4" y2="4" class={`stroke${line.colour}`} stroke-width="2" stroke-dasharray={line.dash?.join(' ')} />
      )}
    </svg>
  );
}

function draw(host: HTMLElement, props: LinesProps, tell: (at: number | null) => void, pick: (at: number) => void): uPlot {
  const { colour, axis } = look();
  const { at, lines, marked = [], days, zero = true } = props;
  const pad = days ? 43_200 : 3600;
  return new uPlot(
    {
      width: host.clientWidth,
      height: 180,
      tzDate: utc,
      padding: [10, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      hooks: {
        setCursor: [(plot) => tell(plot.cursor.idx ?? null)],
        ready: [
          (plot) => {
            plot.over.addEventListener('click', () => {
              const index = plot.cursor.idx;
              if (index !== null && index !== undefined) pick(index);
            });
          },
        ],
        draw: [(plot) => dots(plot, lines, marked, colour)],
      },
      scales: {
        x: { time: true, range: (_, low, high) => [low - pad, high + pad] },
        y: { range: (_, low, high) => (zero ? [0, Math.max(high ?? 1, 1e-9) * 1.08] : roomy(low ?? 0, high ?? 1)) },
      },
      axes: [
        dayAxis(axis),
        {
          ...axis,
          size: 76,
          grid: { stroke: colour('--line'), width: 1 },
          space: 34,
          values: (_, ticks) => ticks.map(props.write),
          ...(props.steps ? { incrs: props.steps } : {}),
        },
      ],
      series: [
        {},
        ...lines.map((line) =>
          line.bars
            ? { paths: uPlot.paths.bars!({ size: [0.5, 18] }), fill: colour(line.colour), width: 0, points: { show: false } }
            : {
                stroke: colour(line.colour),
                width: 2,
                spanGaps: false,
                points: { show: at.length < 40, size: 5, fill: colour(line.colour) },
                ...(line.dash ? { dash: line.dash } : {}),
              },
        ),
      ],
    },
    [at, ...lines.map((line) => line.values)] as uPlot.AlignedData,
    host,
  );
}

function roomy(low: number, high: number): [number, number] {
  const room = Math.max((high - low) * 0.25, Math.abs(high) * 0.05, 1e-9);
  return [low < 0 ? low - room : Math.max(0, low - room), high + room];
}

// Points that stand out, as rings on the first line.
function dots(plot: uPlot, lines: Line[], marked: { at: number; colour: string }[], colour: (name: string) => string): void {
  for (const mark of marked) {
    const value = lines[0]?.values[mark.at];
    const moment = plot.data[0][mark.at];
    if (value === null || value === undefined || moment === undefined) continue;
    const { ctx } = plot;
    ctx.save();
    ctx.strokeStyle = colour(mark.colour);
    ctx.setLineDash([]);
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.beginPath();
    ctx.arc(plot.valToPos(moment, 'x', true), plot.valToPos(value, 'y', true), 6 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.stroke();
    ctx.restore();
  }
}
