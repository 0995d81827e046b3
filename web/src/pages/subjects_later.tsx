import { later } from '../widgets/later';

export const Downstream = later<{ owner: string; repo: string }>(async () => (await import('./downstream')).Downstream, 'The page');
export const Pull = later<{ owner: string; repo: string; number: number }>(async () => (await import('./pull')).Pull, 'The page');
