import { later } from './later';

export interface Line {
  name: string;
  values: (number | null)[];
  colour: string; // a variable of the style sheet
  dash?: number[];
  bars?: boolean;
}

export interface LinesProps {
  label: string; // what a reader who does not see it is told
  at: number[]; // seconds
  lines: Line[];
  write: (value: number) => string;
  days: boolean; // moments are days
  marked?: { at: number; colour: string }[];
  pick?: (index: number) => void;
  steps?: number[]; // what the axis may count by
  zero?: boolean; // the axis begins at 0
}

export const Lines = later<LinesProps>(async () => (await import('./lines')).Lines, 'The chart');
