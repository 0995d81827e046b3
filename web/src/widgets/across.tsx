// What pages that look across downstreams share: whom to look at, and how a window is told.
import { useAnswer } from '../answer';
import { address, type Schemas } from '../api';
import { adjust, query } from '../nav';
import { text } from '../route';
import { UpstreamSwitch } from './controls';

export interface Known {
  upstreams: string[];
  downstreams: string[];
}

export function useKnown(): Known {
  const { data } = useAnswer(address('/api/v1/overview'), { topics: ['relay'] });
  return { upstreams: data?.upstreams ?? [], downstreams: [...new Set(data?.downstreams.map(({ repo }) => repo) ?? [])] };
}

// A name in the address that the list does not have stays chosen: it may be private to the reader, or gone.
export function Whom({ known, all = 'all', keeps = [] }: { known: Known; all?: string; keeps?: string[] }) {
  const chosen = text(query.value, 'downstream');
  const names = chosen && !known.downstreams.includes(chosen) ? [chosen, ...known.downstreams] : known.downstreams;
  return (
    <>
      <UpstreamSwitch upstreams={known.upstreams} />
      <label class="field">
        <span>Downstream</span>
        <select value={chosen} onChange={(event) => adjust({ ...cleared(keeps), downstream: event.currentTarget.value })}>
          <option value="">{all}</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

// What was chosen of one downstream makes no sense for another.
function cleared(keeps: string[]): Record<string, null> {
  const keys = ['cursor', 'more', 'day', 'suite', 'only', 'name'].filter((key) => !keeps.includes(key));
  return Object.fromEntries(keys.map((key) => [key, null]));
}

export function windowWords(window: Schemas['Window']): string {
  return `${window.name.replace('d', '')} ${window.name === '1d' ? 'day' : 'days'} to today, UTC`;
}
