// Platform quality: what a relay answers that serves examples/quality, as it was recorded (quality.json), put together again. Items stand
// once there: the criteria have what is asked for, an assessment what is said of it.
import { readFileSync } from 'node:fs';
import { at } from './world.mjs';

const kept = JSON.parse(readFileSync(new URL('./quality.json', import.meta.url), 'utf8'));
const line = (id) => kept.rows.find((row) => row.id === id);
const asked = new Map(kept.criteria.items.map((item) => [item.id, item]));

const answer = (now, told) => ({ as_of: at(now), ...structuredClone(told), stream_id: '1000' });

export const platformNames = kept.rows.map(({ id }) => id);
export const assessments = kept.releases.map(({ platform, release }) => ({ platform, release }));

export function quality({ now, empty = false, configured = true }) {
  const { rows, releases, reached, faulty } = empty
    ? { rows: [], releases: [], reached: [], faulty: [] }
    : { ...kept, releases: [...new Set(kept.releases.map(({ release }) => release))].sort().reverse() };
  return answer(now, { configured, releases, rows, reached, faulty });
}

export function qualityPlatform({ now, platform }) {
  const found = kept.platforms.find((one) => one.platform === platform);
  return found ? answer(now, { ...found, platform: line(platform) }) : null;
}

export function qualityRelease({ now, platform, release }) {
  const found = kept.releases.find((one) => one.platform === platform && one.release === release);
  if (!found) return null;
  const items = found.items.map(({ id, ...said }) => ({ criterion: asked.get(id), ...said }));
  return answer(now, { ...found, platform: line(platform), items, levels: kept.criteria.levels });
}

export function qualityCriteriaList({ now }) {
  return answer(now, { rows: [kept.criteria.criteria], faulty: [] });
}

export function qualityCriteria({ now, set, version }) {
  const { criteria } = kept.criteria;
  return criteria.set === set && criteria.version === version ? answer(now, kept.criteria) : null;
}
