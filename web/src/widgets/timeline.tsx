// Hops in time, oldest first, each with its distance from the first.
import type { Schemas } from '../api';
import { zone } from '../clock';
import { downstreamPath, pathOf } from '../route';
import { clock, duration, stamp } from '../time';
import { outcomeWord, type Word } from '../words';
import { Glyph } from './bits';

type Event = Schemas['Event'];

const bad = /fail|dead|refus|given|timed|error|silent/;
const good = /finish|complet|success|posted/;
const moving = /start|sent|dispatch|attempt/;

// Kinds are the ledger's words, and new ones come: what is unknown gets a neutral mark.
export function kindWord(kind: string): Word {
  const outcome = bad.test(kind) ? 'failure' : good.test(kind) ? 'success' : moving.test(kind) ? 'running' : 'neutral';
  return { ...outcomeWord(outcome), glyph: '•' };
}

export function Timeline({ events }: { events: Event[] }) {
  const first = Date.parse(events[0]?.at ?? '');
  let day = '';
  return (
    <ol class="timeline">
      {events.map((event, at) => {
        const moment = Date.parse(event.at);
        const today = stamp(moment, zone.value).slice(0, 10);
        const heading = today !== day ? today : null;
        day = today;
        return (
          <li key={at}>
            <span class="timeline-at">
              {heading && <span class="timeline-day">{heading}</span>}
              <time dateTime={event.at} title={event.at}>
                {clock(moment, zone.value)}
              </time>
            </span>
            <Glyph word={kindWord(event.kind)} />
            <span class="timeline-text">
              <span class="kind">{event.kind.replaceAll('_', ' ')}</span>{' '}
              {event.downstream && (
                <>
                  <a href={downstreamPath(event.downstream)}>
                    <bdi>{event.downstream}</bdi>
                  </a>{' '}
                </>
              )}
              <bdi>{event.text}</bdi>
            </span>
            <span class="timeline-more quiet">
              {at > 0 && `+${duration(moment - first)}`}{' '}
              {event.delivery && (
                <a href={pathOf({ page: 'delivery', id: event.delivery })} title={event.delivery}>
                  delivery
                </a>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
