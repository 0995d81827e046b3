// What can be ordered from a page, as the API wants it.
import { act, isTrouble, type Schemas, type Trouble } from './api';
import { now } from './clock';
import { plural } from './figures';
import type { Filled } from './widgets/act';

type Done = Promise<string | Trouble>;

async function told(answer: Promise<Schemas['Acted'] | Trouble>): Done {
  const acted = await answer;
  return isTrouble(acted) ? acted : acted.text;
}

const escaped = (repository: string) => repository.split('/').map(encodeURIComponent).join('/');
const named = ({ name }: Filled) => (name ? { name } : {});

// "4h" from now, by the relay's clock; empty: no end.
export function until(span: string | undefined): string | null {
  const parts = /^(\d+)([hd])$/.exec(span ?? '');
  if (!parts) return null;
  return new Date(now.peek() + Number(parts[1]) * (parts[2] === 'h' ? 3_600_000 : 86_400_000)).toISOString();
}

export async function redeliver(delivery: string, downstream: string | null, token: string): Done {
  const path = `/api/v1/deliveries/${encodeURIComponent(delivery)}/redeliver${downstream ? `?downstream=${encodeURIComponent(downstream)}` : ''}`;
  const answer = await act<Schemas['Redelivered']>('POST', path, token);
  if (isTrouble(answer)) return answer;
  if (answer.redelivered === 0) return 'nothing was left to send';
  return `${plural(answer.redelivered, 'dispatch', 'dispatches')} will be sent again`;
}

export function rerun(pull: { owner: string; repo: string; number: number }, downstream: string, filled: Filled, token: string): Done {
  const scope = filled.scope === 'all' ? ('all' as const) : ('failed' as const);
  const order = { downstream, scope, reason: filled.reason!, ...named(filled) };
  const path = `/api/v1/pulls/${encodeURIComponent(pull.owner)}/${encodeURIComponent(pull.repo)}/${pull.number}/rerun`;
  return told(act('POST', path, token, order satisfies Schemas['RerunOrder']));
}

export function suspend(downstream: string, filled: Filled, token: string): Done {
  const order = { reason: filled.reason!, until: until(filled.until), ...(filled.upstream && { upstream: filled.upstream }), ...named(filled) };
  return told(act('POST', `/api/v1/downstreams/${escaped(downstream)}/suspend`, token, order satisfies Schemas['SuspendOrder']));
}

export function resume(downstream: string, filled: Filled, token: string): Done {
  const order = { reason: filled.reason!, ...named(filled) };
  return told(act('POST', `/api/v1/downstreams/${escaped(downstream)}/resume`, token, order satisfies Schemas['ResumeOrder']));
}

export function acknowledge(key: string, filled: Filled, token: string): Done {
  const order = { key, until: until(filled.until), reason: filled.reason!, ...named(filled) };
  return told(act('POST', '/api/v1/attention/acknowledge', token, order satisfies Schemas['AcknowledgeOrder']));
}

export async function writeNote(about: Schemas['NewNote']['about'], subject: string, filled: Filled, token: string): Done {
  const order = { about, subject, text: filled.text!, expires_at: until(filled.until), ...named(filled) };
  const answer = await act<Schemas['Note']>('POST', '/api/v1/notes', token, order satisfies Schemas['NewNote']);
  return isTrouble(answer) ? answer : 'The note stands here now';
}

export function removeNote(id: number, filled: Filled, token: string): Done {
  const order = { reason: filled.reason!, ...named(filled) };
  return told(act('DELETE', `/api/v1/notes/${id}`, token, order satisfies Schemas['Reason']));
}
