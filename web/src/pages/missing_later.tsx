import { laterPage } from '../widgets/later';

export const Missing = laterPage<{ path: string }>(async () => (await import('./missing')).Missing);
