import { later } from '../widgets/later';

export const Help = later<object>(async () => (await import('./help')).Help, 'The help page');
