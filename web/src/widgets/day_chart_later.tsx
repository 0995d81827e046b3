import type { Schemas } from '../api';
import { later } from './later';

export interface DayChartProps {
  days: Schemas['DayFigures'][];
  from: string;
  until: string;
}

export const DayChart = later<DayChartProps>(async () => (await import('./day_chart')).DayChart, 'The chart');
