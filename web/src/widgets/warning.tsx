// The one place that says that the page may be wrong: above everything, in words, for eyes and for screen readers alike.
import { useSignalEffect } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { shown } from '../answer';
import { now, zone } from '../clock';
import { togglePause } from '../live';
import { doubtful, notLive, standing } from '../standing';
import type { Standing } from '../standing_of';
import { clock, rough } from '../time';

function words(told: Standing): { title: string; detail: string } {
  switch (told.kind) {
    case 'dead':
      return {
        title: told.trouble?.title ?? 'The relay cannot be reached',
        detail: `${told.trouble?.detail ?? 'It may be restarting, or the network is away.'} Nothing here is known to be true any more.`,
      };
    case 'old':
      return { title: 'The relay has confirmed nothing for a while', detail: 'What you see may be out of date.' };
    case 'deaf':
      return { title: 'Changes do not arrive by themselves', detail: 'The live stream is broken; the page asks once a minute instead.' };
    case 'paused':
      return { title: 'Paused', detail: 'Nothing here moves until you go on.' };
    case 'fresh':
      return { title: '', detail: '' };
  }
}

export function Warning() {
  const told = standing.value;
  useMarked();
  return (
    <>
      {told.kind !== 'fresh' && (
        <div class={`warning warning-${told.kind}`}>
          <div class="warning-inside">
            <span class="warning-words" role={notLive.value ? 'alert' : undefined}>
              <span aria-hidden="true">{notLive.value ? '▲ ' : ''}</span>
              <strong>{words(told).title}.</strong> {words(told).detail}
            </span>
            <AsOf checked={told.checked} />
            <button type="button" class="small" onClick={told.kind === 'paused' ? togglePause : retryAll}>
              {told.kind === 'paused' ? 'Resume' : 'Try again now'}
            </button>
          </div>
        </div>
      )}
      <Recovery />
    </>
  );
}

// Grows each second; apart from the words, so that nobody is told aloud each second.
function AsOf({ checked }: { checked: number | null }) {
  if (checked === null) return null;
  return (
    <span class="warning-age">
      as of {clock(checked, zone.value)}, <strong>{rough(Math.max(0, now.value && Date.now() - checked))} ago</strong>
    </span>
  );
}

function Recovery() {
  const [said, say] = useState('');
  const before = useRef(false);
  useSignalEffect(() => {
    const doubt = notLive.value;
    if (doubt !== before.current) say(doubt ? '' : 'The relay answers again; everything is up to date.');
    before.current = doubt;
  });
  return (
    <span class="hide" role="status">
      {said}
    </span>
  );
}

// The style sheet takes the colours out of what can no longer be vouched for.
function useMarked(): void {
  useSignalEffect(() => {
    document.documentElement.toggleAttribute('data-stale', doubtful.value);
  });
}

function retryAll(): void {
  for (const answer of shown.peek().values()) answer.retry();
}
