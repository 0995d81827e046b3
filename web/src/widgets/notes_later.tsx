import type { Schemas } from '../api';
import { later } from './later';

export interface NotesProps {
  about: Schemas['Note']['about'];
  subject: string;
}

export const Notes = later<NotesProps>(async () => (await import('./notes')).Notes, 'The notes');
export const LatestNotes = later<object>(async () => (await import('./notes')).LatestNotes, 'The notes');
