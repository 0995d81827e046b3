// The smallest pieces: a state, a level, a moment, a link. Untrusted strings only ever become text nodes.
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../api';
import { now, zone } from '../clock';
import { shortSha } from '../figures';
import { safeLink } from '../route';
import { ago, implausible, lasting, stamp } from '../time';
import { levels, type Word } from '../words';

export function Glyph({ word }: { word: Word }) {
  return (
    <span class={`glyph tone-${word.tone}`} aria-hidden="true">
      {word.glyph}
    </span>
  );
}

// Glyph and word: what most states are shown as.
export function State({ word, children }: { word: Word; children?: ComponentChildren }) {
  return (
    <span class="state" title={word.meaning}>
      <Glyph word={word} /> <span class={`tone-text-${word.tone}`}>{children ?? word.word}</span>
    </span>
  );
}

// The level as listed and, while a temporary demotion holds, what counts instead. A relay that does not tell it means the listed one.
export function Level({ level, effective = level }: { level: Schemas['Level']; effective?: Schemas['Level'] | undefined }) {
  const badge = (one: Schemas['Level']) => (
    <span class={`level level-${one}`} title={`${one}: ${levels[one]}`}>
      {one}
    </span>
  );
  if (effective >= level) return badge(level);
  return (
    <span class="lowered" title={`Listed at ${level}. Checks and gate follow ${effective} until it is well again.`}>
      {badge(level)} → {badge(effective)} for now
    </span>
  );
}

// Where a heading says the level already: only what differs from it.
export function Lowered({ of }: { of: { level: Schemas['Level']; effective_level?: Schemas['Level'] | undefined } }) {
  return of.effective_level && of.effective_level < of.level ? <Level level={of.level} effective={of.effective_level} /> : null;
}

// The same where there is room for one letter and a number.
export function LoweredTo({ level, effective = level }: { level: Schemas['Level']; effective?: Schemas['Level'] | undefined }) {
  if (effective >= level) return null;
  return (
    <span class="lowered-to" title={`${level} → ${effective} for now: checks and gate follow ${effective}`}>
      →{effective}
      <span class="hide"> for now </span>
    </span>
  );
}

// "3 min ago"; the exact moment is the title. A clock that cannot be right is marked; what is yet to come may be far away.
// What lasts since then is told as "for 3 min".
export function When({ at, none = '–', coming = false, lasts = false }: { at: string | null; none?: string; coming?: boolean; lasts?: boolean }) {
  if (at === null) return <span class="quiet">{none}</span>;
  const moment = Date.parse(at);
  const exact = stamp(moment, zone.value);
  if (!coming && implausible(moment, now.value)) {
    return (
      <time dateTime={at} title={`${exact}: the clock that said so is wrong`}>
        {exact} <span class="mark">clock?</span>
      </time>
    );
  }
  return (
    <time dateTime={at} title={`${exact} (${at})`}>
      {(lasts ? lasting : ago)(moment, now.value)}
    </time>
  );
}

export function Exact({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {stamp(Date.parse(at), zone.value)}
    </time>
  );
}

// A link that leaves; without an address that a browser opens as a page it stays text.
export function Out({ to, children }: { to: string; children: ComponentChildren }) {
  const safe = safeLink(to);
  if (!safe) return <>{children}</>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer" class="out" title={new URL(safe).host}>
      {children}
      <span class="hide"> (opens {new URL(safe).host})</span>
    </a>
  );
}

// Names from elsewhere: isolated, so that right-to-left marks stay inside, and cut by the style sheet, not here.
export function Name({ children, title }: { children: string; title?: string }) {
  return (
    <bdi class="name" title={title ?? children}>
      {children}
    </bdi>
  );
}

export function Sha({ sha }: { sha: string }) {
  return (
    <code class="sha" title={sha}>
      {shortSha(sha)}
    </code>
  );
}

// A word that is explained on the help page.
export function Explained({ by, children }: { by: string; children: ComponentChildren }) {
  return (
    <a class="explained" href={`/help#${by}`}>
      {children}
    </a>
  );
}

export function Mark({ children, title }: { children: ComponentChildren; title?: string }) {
  return (
    <span class="mark" title={title}>
      {children}
    </span>
  );
}
