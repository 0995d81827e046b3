// The worst that strings from elsewhere can be, put where such strings come from.

export const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
export const backwards = '\u202Eevil\u2066 \u200Fabc\u2069';
export const long = `${'verylongword'.repeat(60)} ${evil}`;
const link = 'javascript:alert(3)';

const free = new Map([
  ['author', evil],
  ['device', backwards],
  ['reason', long],
  ['text', `${backwards}${evil}`],
  ['title', evil],
  ['trouble', evil],
  ['detail', long],
  ['workflow', backwards],
  ['job', evil],
  ['message', `${evil}\n${'x'.repeat(1900)}`],
  ['name', evil],
  ['url', link],
  ['github_url', link],
  ['lane', long],
  ['sink', evil],
  ['action', evil],
  ['subject', evil],
  ['page', '//evil.example/'],
  ['gate_reason', long],
  ['hint', evil],
  ['kind_text', evil],
  ['by', evil],
  ['actor', backwards],
  ['source', long],
  ['account', evil],
  ['key', evil],
  ['value', long],
  ['signature', long],
  ['test', evil],
  ['would_change', evil],
  ['link', 'javascript:alert(4)'],
  ['suite', evil],
  ['unit', backwards],
  ['schedule', evil],
  ['advice', long],
  ['forecast', long],
  ['frozen', evil],
  ['evidence', long],
  ['gate_rule', `${backwards}${evil}`],
  ['label', evil],
  ['profile', backwards],
]);
const lists = new Map([
  ['labels', [evil, backwards, long]],
  ['oncall', [evil, backwards]],
  ['meaning', [evil, long]],
  ['suites', [evil, long]],
  ['rules', [evil, backwards, long]],
]);

// The same answer with hostile text in every field that others write.
export function spoil(answer, key = '') {
  if (Array.isArray(answer)) return lists.get(key) ?? answer.map((item) => spoil(item, key));
  if (answer === null || typeof answer !== 'object')
    return typeof answer === 'string' && free.has(key) && answer !== '' ? free.get(key) : answer;
  if (key === 'environment') return { [evil]: long, [backwards]: evil };
  // A window's name, a refusal's reason, an action of the audit and a criterion's unit are the relay's own words.
  const window = ('n' in answer && !('unit' in answer)) || ('name' in answer && 'from' in answer);
  const own = 'comparison' in answer ? 'unit' : window ? 'name' : 'count' in answer && ('hint' in answer || 'last_at' in answer) ? 'reason' : 'actor' in answer ? 'action' : '';
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, name === own ? value : spoil(value, name)]));
}
