import { later } from '../widgets/later';

export const Readiness = later<{ repo: string; upstream: string }>(async () => (await import('./readiness')).Readiness, 'The level');
