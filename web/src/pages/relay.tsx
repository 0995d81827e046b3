// The relay itself: healthy or not, and the causes by name.
import type { Schemas } from '../api';
import { now } from '../clock';
import { capital, count } from '../figures';
import { doubtful } from '../standing';
import { rough } from '../time';
import { outcomeWord, unknown } from '../words';
import { Glyph, When } from '../widgets/bits';

type Relay = Schemas['Relay'];

export function RelayHealth({ relay }: { relay: Relay }) {
  const broken = relay.parts.filter((part) => !part.ready);
  const unheard = doubtful.value;
  const word = unheard ? { ...unknown, tone: 'failure' as const } : outcomeWord(relay.ready ? 'success' : 'failure');
  return (
    <section class="relay">
      <div class="section-head">
        <h2>The relay</h2>
        <div class="section-aside">
          <a href="/status">status</a>
        </div>
      </div>
      <p class="verdict">
        <Glyph word={word} />
        <span>
          {unheard ? `Nobody knows how the relay is now; ${relaySaid(relay, 'was')} when it was last heard` : capital(relaySaid(relay, 'is'))}
        </span>
      </p>
      <p class="quiet">
        {relay.mode === 'shadow' ? 'Shadow: it plans and sends nothing. ' : ''}Version {relay.version}, up{' '}
        {rough(Math.max(0, now.value - Date.parse(relay.started_at)))}.{' '}
        {relay.parts.length > 0 && broken.length === 0 && `Ready: ${relay.parts.map(({ name }) => name).join(', ')}.`}
      </p>
      {broken.length > 0 && (
        <ul class="causes">
          {broken.map((part) => (
            <li key={part.name}>
              <Glyph word={outcomeWord('failure')} /> <strong>{part.name}</strong> {part.trouble || 'not ready'}
            </li>
          ))}
        </ul>
      )}
      <dl class="facts">
        <Fact name="Deliveries" value={relay.deliveries} to="/deliveries">
          {relay.last_delivery_at && (
            <>
              last <When at={relay.last_delivery_at} />
            </>
          )}
        </Fact>
        <Fact name="To plan" value={relay.to_plan} />
        <Fact name="To send" value={relay.pending}>
          {relay.oldest_pending && (
            <>
              oldest <When at={relay.oldest_pending} />
            </>
          )}
        </Fact>
        <Fact name="Jobs running" value={relay.running_jobs} />
        <Fact name="Checks to post" value={relay.checks_waiting} />
        <Fact name="Letters to send" value={relay.letters_waiting} />
        <Fact name="Given up" value={relay.dead + relay.dead_letters} to="/dead" bad={relay.dead + relay.dead_letters > 0}>
          {relay.dead >= 1000 && 'or more'}
        </Fact>
        <Fact name="Refused" value={relay.refused_last_hour} to="/refused" bad={relay.refused_last_hour > 0}>
          this hour and the last
        </Fact>
        {relay.unknown_outcomes > 0 && <Fact name="Outcome unknown" value={relay.unknown_outcomes} bad />}
      </dl>
    </section>
  );
}

export function relaySaid(relay: Pick<Relay, 'ready' | 'parts'>, is: 'is' | 'was'): string {
  if (relay.ready) return `the relay ${is} healthy`;
  const broken = relay.parts.filter((part) => !part.ready).map(({ name }) => name);
  return `the relay ${is} not ready: ${broken.join(', ') || 'no part says why'}`;
}

function Fact({
  name,
  value,
  to,
  bad = false,
  children,
}: {
  name: string;
  value: number;
  to?: string;
  bad?: boolean;
  children?: preact.ComponentChildren;
}) {
  const shown = <span class={bad ? 'tone-text-failure' : ''}>{count(value)}</span>;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {to ? <a href={to}>{shown}</a> : shown}
        {children && <span class="sub">{children}</span>}
      </dd>
    </div>
  );
}
