// An address that is no page: say so, and help on.
import { useAnswer } from '../answer';
import { address } from '../api';
import { pages } from '../finder';
import { suggest } from '../suggest';
import { Name } from '../widgets/bits';
import { Page, Section } from '../widgets/frame';
import { open } from '../widgets/keys';

export function Missing({ path }: { path: string }) {
  const { data } = useAnswer(address('/api/v1/overview'), { topics: [] });
  const known = { upstreams: data?.upstreams ?? [], downstreams: [...new Set(data?.downstreams.map(({ repo }) => repo) ?? [])] };
  const meant = suggest(path, known);
  return (
    <Page title="No such page">
      <p class="lead">
        There is no page at <bdi class="mono wrap">{path.slice(0, 200)}</bdi>. Perhaps the address was cut short, or comes from another
        version of these pages.
      </p>
      {meant.length > 0 && (
        <Section title="Did you mean">
          <ul class="plain-list">
            {meant.map(({ words, kind, to }) => (
              <li key={to} data-row>
                <a href={to}>
                  <Name>{words}</Name>
                </a>
                <span class="quiet"> {kind !== 'instead' && kind}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="All pages">
        <ul class="plain-list">
          {pages.map(({ words, to }) => (
            <li key={to} data-row>
              <a href={to}>{words}</a> <span class="quiet mono">{to}</span>
            </li>
          ))}
        </ul>
      </Section>
      <p>
        Pull requests, repositories and deliveries are found by{' '}
        <button type="button" class="link" onClick={() => open('palette')}>
          searching
        </button>{' '}
        (<kbd>/</kbd>).
      </p>
    </Page>
  );
}
