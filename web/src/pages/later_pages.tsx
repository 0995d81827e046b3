// Pages whose code is loaded when they are first opened.
import { later } from '../widgets/later';

export const Matrix = later<object>(async () => (await import('./matrix')).Matrix, 'The matrix');
export const Pulls = later<object>(async () => (await import('./pulls')).Pulls, 'The list');
