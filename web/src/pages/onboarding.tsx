// The way from "listed" to "trusted"; done, it folds into a line.
import type { Schemas } from '../api';
import { Section } from '../widgets/frame';
import { Glyph, When } from '../widgets/bits';
import { outcomeWord } from '../words';

const words: Record<Schemas['Checklist'][number]['step'], string> = {
  listed: 'Listed in the allowlist',
  dispatched: 'Events are sent to it',
  first_report: 'It reports',
  first_result: 'Its results come home',
  token_bound: 'Its identity is bound to the dispatch',
  pinned: 'Its repository is pinned by id',
};

// Of these the relay tells the newest time, not the first: every one of them proves that the step still works.
const newest: string[] = ['dispatched', 'first_report', 'first_result'];

export function Onboarding({ steps }: { steps: Schemas['Checklist'] }) {
  const open = steps.filter(({ done }) => !done).length;
  return (
    <Section title="Onboarding" aside={open === 0 ? 'complete' : `${steps.length - open} of ${steps.length} done`}>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.step}>
            <Glyph word={step.done ? { ...outcomeWord('success'), glyph: '✓' } : { ...outcomeWord('waiting'), glyph: '○' }} />
            <span>
              <span class="hide">{step.done ? 'done: ' : 'open: '}</span>
              {words[step.step] ?? step.step}
              {!step.done && step.hint && <span class="sub">{step.hint}</span>}
            </span>
            <span class="quiet">
              {step.done && step.at !== null && (
                <>
                  {newest.includes(step.step) && 'latest '}
                  <When at={step.at} />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
