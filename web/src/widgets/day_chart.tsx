// The pass rate of each day with its interval as a band; days without runs are gaps.
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { chartSentence, daySentence, series, type Series } from '../days';
import { dayAxis, look, utc } from './day_axis';
import type { DayChartProps } from './day_chart_later';

export function DayChart({ days, from, until }: DayChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const made = series(days, from, until);
  const [at, setAt] = useState<number | null>(null);
  const shape = JSON.stringify(made);
  useEffect(() => {
    const host = box.current!;
    let plot = draw(host, made, setAt);
    const redraw = () => {
      plot.destroy();
      plot = draw(host, made, setAt);
    };
    const sized = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height: height(host) }));
    const themed = new MutationObserver(redraw);
    sized.observe(host);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-contrast'] });
    return () => {
      sized.disconnect();
      themed.disconnect();
      plot.destroy();
    };
  }, [shape]);
  return (
    <div class="chart">
      <p class="quiet chart-line">{at === null ? chartSentence(made) : daySentence(made, at)}</p>
      <div ref={box} role="img" aria-label={chartSentence(made)} />
    </div>
  );
}

function height(host: HTMLElement): number {
  return host.clientWidth < 600 ? 180 : 220;
}

function draw(host: HTMLElement, made: Series, tell: (at: number | null) => void): uPlot {
  const { colour, axis } = look();
  const few = made.at.length <= 1;
  const seen = made.low.filter((value): value is number => value !== null);
  const floor = Math.max(0, Math.min(0.8, Math.floor(Math.min(...seen, 1) * 10) / 10));
  return new uPlot(
    {
      width: host.clientWidth,
      height: height(host),
      tzDate: utc,
      padding: [12, 8, 0, 0],
      legend: { show: false },
      hooks: { setCursor: [(plot) => tell(plot.cursor.idx ?? null)] },
      cursor: { y: false, points: { show: false } },
      scales: {
        x: { time: true, range: few ? (_, low) => [low - 43_200, low + 43_200] : (_, low, high) => [low - 21_600, high + 21_600] },
        y: { range: [floor, 1.005] },
        n: { range: (_, __, high) => [0, Math.max(1, (high ?? 1) * 4)] },
      },
      axes: [
        dayAxis(axis),
        {
          ...axis,
          grid: { stroke: colour('--line'), width: 1 },
          size: 56,
          values: (_, ticks) => ticks.map((tick) => `${Math.round(tick * 100)} %`),
          incrs: [0.02, 0.05, 0.1, 0.2, 0.25, 0.5],
        },
      ],
      series: [
        {},
        { scale: 'n', paths: uPlot.paths.bars!({ size: [0.5, 22] }), fill: colour('--bar'), width: 0, points: { show: false } },
        { stroke: 'transparent', points: { show: false } },
        { stroke: 'transparent', points: { show: false } },
        { stroke: colour('--accent'), width: 2, spanGaps: false, points: { show: true, size: 6, fill: colour('--accent') } },
      ],
      bands: [{ series: [2, 3], fill: colour('--band') }],
    },
    [made.at, made.bad, made.high, made.low, made.rate],
    host,
  );
}
