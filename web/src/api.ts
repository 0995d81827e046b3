// Typed requests. What comes back is data, nothing new, or a problem in words; never an error body taken for data.
import type { components, paths } from '../generated/api';

export type Schemas = components['schemas'];

// The address of an answer; the type of the answer travels with it.
export type Address<T> = string & { readonly answer?: T };

type Readable = {
  [P in keyof paths]: paths[P] extends { get: { responses: { 200: { content: { 'application/json': unknown } } } } } ? P : never;
}[keyof paths];
type AnswerOf<P extends Readable> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer T } } } } }
  ? T
  : never;
type Values = Record<string, string | number | null | undefined>;

export function address<P extends Readable>(path: P, values: Values = {}, query: Values = {}): Address<AnswerOf<P>> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== '') given.set(name, String(value));
  const text = given.toString();
  return text ? `${filled}?${text}` : filled;
}

export interface Trouble {
  title: string;
  detail: string;
  status: number; // 0: no answer at all
  passing: boolean; // worth another try by itself
  retryAfter: number | null; // milliseconds
}

export type Fetched<T> = { kind: 'data'; data: T; etag: string | null } | { kind: 'same' } | { kind: 'trouble'; trouble: Trouble };

const patience = 15_000;

export async function read<T>(from: Address<T>, etag: string | null): Promise<Fetched<T>> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (etag) headers['If-None-Match'] = etag;
  try {
    const response = await fetch(from, { headers, cache: 'no-store', signal: AbortSignal.timeout(patience) });
    if (response.status === 304) return { kind: 'same' };
    if (!response.ok) return { kind: 'trouble', trouble: await troubleOf(response) };
    const data: unknown = await response.json();
    if (typeof data !== 'object' || data === null) throw new SyntaxError('not an object');
    return { kind: 'data', data: data as T, etag: response.headers.get('ETag') };
  } catch (error) {
    return { kind: 'trouble', trouble: noAnswer(error) };
  }
}

// An order to the relay, in the name of whoever holds the token. It goes into a header, never into an address.
export async function act<T>(method: 'POST' | 'DELETE', path: Address<T>, token: string, order?: object): Promise<T | Trouble> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
  if (order) headers['Content-Type'] = 'application/json';
  const body = order && JSON.stringify(order);
  try {
    const response = await fetch(path, { method, headers, ...(body && { body }), signal: AbortSignal.timeout(patience) });
    return response.ok ? ((await response.json()) as T) : await troubleOf(response);
  } catch (error) {
    return noAnswer(error);
  }
}

export function isTrouble(answer: object): answer is Trouble {
  return 'passing' in answer;
}

async function troubleOf(response: Response): Promise<Trouble> {
  const passing = response.status >= 500 || response.status === 429;
  const wait = Number(response.headers.get('Retry-After'));
  const retryAfter = Number.isFinite(wait) && wait > 0 ? wait * 1000 : null;
  const plain = { title: `The relay answered ${response.status}`, detail: '', status: response.status, passing, retryAfter };
  try {
    const said = (await response.json()) as Partial<Schemas['Problem']>;
    if (typeof said.title !== 'string') return plain;
    return { ...plain, title: said.title, detail: typeof said.detail === 'string' ? said.detail : '' };
  } catch {
    return plain;
  }
}

function noAnswer(error: unknown): Trouble {
  const slow = error instanceof DOMException && error.name === 'TimeoutError';
  const garbled = error instanceof SyntaxError;
  const title = slow
    ? 'The relay takes too long to answer'
    : garbled
      ? 'The answer is not what was expected'
      : 'The relay cannot be reached';
  const detail = garbled ? 'Something between here and the relay may have changed it.' : 'It may be restarting, or the network is away.';
  return { title, detail, status: 0, passing: true, retryAfter: null };
}
