import { laterPage } from '../widgets/later';

export const Downstream = laterPage<{ owner: string; repo: string }>(async () => (await import('./downstream')).Downstream);
export const Pull = laterPage<{ owner: string; repo: string; number: number }>(async () => (await import('./pull')).Pull);
