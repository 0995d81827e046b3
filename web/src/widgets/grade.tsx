// A grade, and the points behind it: neither stands without the other, nor without P0 and what is unknown.
import type { Schemas } from '../api';
import { gradeWord, pointsSentence, warned } from '../quality_words';
import { Glyph, State } from './bits';

type Levels = Schemas['QualityLevel'][];

export function Grade({ name, rank, levels }: { name: string; rank: number; levels: Levels }) {
  return <State word={gradeWord(name, rank, levels)} />;
}

export function Points({ of }: { of: Parameters<typeof pointsSentence>[0] }) {
  return <span class="sub">{pointsSentence(of)}</span>;
}

// What users should know while an item is open, whatever the level.
export function Warnings({ of }: { of: Schemas['QualityScore'] }) {
  return (
    <>
      {of.warnings.map(({ item, text }) => (
        <p key={item} class={`quality-warning tone-text-${warned.tone}`} title={warned.meaning}>
          <Glyph word={warned} /> Warning, {item}: <bdi>{text}</bdi>
        </p>
      ))}
    </>
  );
}

// Long bars need room: here the four kinds of points stand in one line, as long as its maximum against the longest.
export function PointsBar({ of, longest, ticks = [] }: { of: Schemas['QualitySection']; longest: number; ticks?: Schemas['QualityThreshold'][] }) {
  const unknown = of.potential - of.proven;
  const missing = of.max - of.potential;
  const pieces = [
    { kind: 'proven', points: of.proven },
    { kind: 'unknown', points: unknown },
    { kind: 'missing', points: missing },
    { kind: 'exempt', points: of.exempt },
  ].filter(({ points }) => points > 0);
  const said = `${of.title}: ${of.proven} proven, ${unknown} unknown, ${missing} missing, ${of.exempt} exempt`;
  const scale = 300 / Math.max(1, longest);
  let at = 0;
  return (
    <svg class="points-bar" viewBox="0 0 302 16" role="img" aria-label={said}>
      <title>{said}</title>
      {pieces.map(({ kind, points }) => {
        const from = at;
        at += points * scale;
        return <rect key={kind} class={`bar-${kind}`} x={from + 1} y="2" width={Math.max(0.5, points * scale - 1)} height="12" />;
      })}
      {ticks.map(({ level, points }) => (
        <line key={level} class="bar-tick" x1={points * scale + 1} x2={points * scale + 1} y1="0" y2="16" />
      ))}
    </svg>
  );
}

export function BarKey() {
  return (
    <span class="bar-key">
      {['proven', 'unknown', 'missing', 'exempt'].map((kind) => (
        <span key={kind}>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <rect class={`bar-${kind}`} x="1" y="1" width="10" height="10" />
          </svg>{' '}
          {kind}
        </span>
      ))}
    </span>
  );
}
