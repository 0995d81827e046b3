// What people wrote beside something: plain text, with a name and a time.
import type { ComponentChildren } from 'preact';
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { adjusted, query } from '../nav';
import { removeNote, writeNote } from '../orders';
import { downstreamPath, pathOf, pullPath, text } from '../route';
import { Act, why, type Field } from './act';
import { Name, When } from './bits';
import { Section, Shown } from './frame';
import type { NotesProps } from './notes_later';

type Note = Schemas['Note'];

const writing: Field[] = [
  { name: 'text', label: 'Note, plain text, seen by everybody', kind: 'text', most: 2000, needed: true },
  {
    name: 'until',
    label: 'Shown',
    kind: 'choice',
    options: [
      { value: '', words: 'until somebody removes it' },
      { value: '4h', words: 'for 4 hours' },
      { value: '1d', words: 'for a day' },
      { value: '7d', words: 'for a week' },
      { value: '30d', words: 'for 30 days' },
    ],
  },
];

export function Notes({ about, subject }: NotesProps) {
  const cursor = text(query.value, 'notes');
  const answer = useAnswer(address('/api/v1/notes', {}, { about, subject, limit: 20, cursor }), {
    topics: ['pull', 'downstream', 'relay'],
  });
  const order = {
    title: 'Write a note',
    explain: (
      <p>
        It stands beside <bdi>{subject}</bdi> for everybody, with your name.
      </p>
    ),
    verb: 'Write it',
    fields: writing,
    run: (filled: Record<string, string>, token: string) => writeNote(about, subject, filled, token),
  };
  const write = <Act plain words="Write a note" order={order} done={answer.retry} />;
  // Most things have none: then there is only the way to write one.
  if (answer.data?.rows.length === 0 && !cursor) return <p class="notes-none">{write}</p>;
  return (
    <Section title="Notes" aside={write} class="notes">
      <Shown answer={answer}>
        {(notes) => (
          <ul>
            {notes.rows.map((note) => (
              <li key={note.id}>
                <OneNote note={note}>
                  <Remove note={note} done={answer.retry} />
                </OneNote>
              </li>
            ))}
            {(cursor || notes.next) && (
              <li>
                {cursor && <a href={adjusted({ notes: null })}>Newest notes</a>}{' '}
                {notes.next && <a href={adjusted({ notes: notes.next })}>Older notes</a>}
              </li>
            )}
          </ul>
        )}
      </Shown>
    </Section>
  );
}

function OneNote({ note, children }: { note: Note; children?: ComponentChildren }) {
  return (
    <>
      <p class="note-text">
        <bdi>{note.text}</bdi>
      </p>
      <p class="sub">
        <Name>{note.by}</Name>, <When at={note.at} />
        {note.expires_at && (
          <>
            , shown no longer <When at={note.expires_at} coming />
          </>
        )}{' '}
        {children}
      </p>
    </>
  );
}

function Remove({ note, done }: { note: Note; done: () => void }) {
  const order = {
    title: 'Remove the note',
    explain: <p>It is no longer shown. The audit keeps what it said.</p>,
    verb: 'Remove it',
    fields: [why],
    run: (filled: Record<string, string>, token: string) => removeNote(note.id, filled, token),
  };
  return <Act plain words="Remove" label={`Remove the note of ${note.by}`} order={order} done={done} />;
}

function subjectPath({ about, subject }: Note): string {
  const pull = /^([\w.-]+\/[\w.-]+)#(\d{1,9})$/.exec(subject);
  if (about === 'pull' && pull) return pullPath(pull[1]!, Number(pull[2]));
  if (about === 'downstream') return downstreamPath(subject);
  if (about === 'delivery') return pathOf({ page: 'delivery', id: subject });
  return '/';
}

// On the overview: what was written last, about anything. Nothing written, nothing shown.
export function LatestNotes() {
  const answer = useAnswer(address('/api/v1/notes', {}, { limit: 5 }), { topics: ['pull', 'downstream', 'relay'] });
  if (!answer.data?.rows.length) return null;
  return (
    <Section title="Notes" class="notes">
      <ul>
        {answer.data.rows.map((note) => (
          <li key={note.id}>
            <a href={subjectPath(note)}>
              <Name>{note.subject}</Name>
            </a>
            <OneNote note={note} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
