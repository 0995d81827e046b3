// Controls are links: each has an address, so that it can be opened elsewhere, sent and gone back to.
import type { ComponentChildren } from 'preact';
import { adjust, adjusted, query } from '../nav';
import { choice, text } from '../route';

const inOrder = ['1d', '7d', '14d', '30d', '90d'] as const;
type WindowName = (typeof inOrder)[number];

export function chosenWindow(fallback: WindowName = '7d'): WindowName {
  return choice(query.value, 'window', [fallback, ...inOrder]);
}

export function WindowSwitch({ fallback = '7d' }: { fallback?: WindowName }) {
  return (
    <Switch
      label="Window of the figures"
      name="window"
      options={inOrder.map((value) => ({ value, words: value.replace('d', ' d') }))}
      fallback={fallback}
      clears={{ cursor: null, more: null }}
    />
  );
}

interface SwitchProps {
  label: string;
  name: string;
  options: { value: string; words: string }[];
  fallback: string;
  clears?: Record<string, null>; // what makes no sense after a change, such as a cursor
}

export function Switch({ label, name, options, fallback, clears = {} }: SwitchProps) {
  const chosen = text(query.value, name) || fallback;
  return (
    <nav class="switch" aria-label={label}>
      {options.map(({ value, words }) => (
        <a
          key={value}
          data-adjust
          href={adjusted({ ...clears, [name]: value === fallback ? null : value })}
          aria-current={value === chosen ? 'true' : undefined}
        >
          {words}
        </a>
      ))}
    </nav>
  );
}

// Only where there is more than one to choose from.
export function UpstreamSwitch({ upstreams }: { upstreams: string[] }) {
  if (upstreams.length < 2) return null;
  const chosen = text(query.value, 'upstream');
  return (
    <label class="field">
      <span>Upstream</span>
      <select value={chosen} onChange={(event) => adjust({ upstream: event.currentTarget.value, cursor: null, more: null })}>
        <option value="">all</option>
        {upstreams.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Field({
  label,
  name,
  numeric = false,
  placeholder,
  clears = { cursor: null },
}: {
  label: string;
  name: string;
  numeric?: boolean;
  placeholder?: string;
  clears?: Record<string, null>;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        inputMode={numeric ? 'numeric' : 'text'}
        placeholder={placeholder}
        value={text(query.value, name)}
        spellcheck={false}
        autocomplete="off"
        onChange={(event) => adjust({ ...clears, [name]: event.currentTarget.value.trim() })}
      />
    </label>
  );
}

// Narrows what is already loaded, with every letter typed.
export function Find({ placeholder }: { placeholder: string }) {
  return (
    <label class="field">
      <span>Find</span>
      <input
        type="search"
        placeholder={placeholder}
        value={text(query.value, 'find')}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => adjust({ find: event.currentTarget.value })}
      />
    </label>
  );
}

// Keyset pages: forward by the cursor, back by the browser or to the start.
export function Pager({ next, children }: { next: string | null; children?: ComponentChildren }) {
  const later = text(query.value, 'cursor') !== '';
  if (!later && next === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {later && <a href={adjusted({ cursor: null })}>Newest</a>}
      {children}
      {next !== null && (
        <a rel="next" href={adjusted({ cursor: next })}>
          Older
        </a>
      )}
    </nav>
  );
}
