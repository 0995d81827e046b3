// Can what is on the page be believed? One answer for the whole page: its banner, its title and its colours all follow from it.
import { computed, signal } from '@preact/signals';
import { shown } from './answer';
import { now } from './clock';
import { live, losses } from './live';
import { standingOf, type Standing } from './standing_of';

const seenSince = signal(Date.now());

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) seenSince.value = Date.now();
});

export const standing = computed<Standing>(() =>
  standingOf({
    answers: [...shown.value.values()],
    live: live.value,
    losses: losses.value,
    seenSince: seenSince.value,
    now: now.value && Date.now(),
  }),
);

// What the page shows may be wrong by now: no green may claim otherwise.
export const doubtful = computed(() => ['dead', 'old'].includes(standing.value.kind));

// It does not follow what happens, though nobody paused it.
export const notLive = computed(() => doubtful.value || standing.value.kind === 'deaf');
