import { later } from '../widgets/later';

export const Missing = later<{ path: string }>(async () => (await import('./missing')).Missing, 'The page');
