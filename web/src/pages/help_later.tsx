import { laterPage } from '../widgets/later';

export const Help = laterPage<object>(async () => (await import('./help')).Help);
