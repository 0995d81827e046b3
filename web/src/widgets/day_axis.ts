// What all charts over days share: UTC days along the bottom, and the colours of the page.
import uPlot from 'uplot';

export interface Look {
  colour: (name: string) => string;
  axis: uPlot.Axis;
}

export function look(): Look {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return { colour, axis: { stroke: colour('--quiet'), ticks: { show: false }, font: `12px ${style.fontFamily}` } };
}

export const utc = (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'UTC');

export function dayAxis(axis: uPlot.Axis): uPlot.Axis {
  return {
    ...axis,
    size: 30,
    grid: { show: false },
    space: 70,
    values: (_, ticks) => ticks.map((tick) => new Date(tick * 1000).toISOString().slice(5, 10)),
    incrs: [1, 2, 3, 7, 14, 30].map((days) => days * 86_400),
  };
}
