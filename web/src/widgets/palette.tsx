// Search: type a number, a name or an id, and go there.
import { useEffect, useState } from 'preact/hooks';
import { peek } from '../answer';
import { address, read } from '../api';
import { find, type Known } from '../finder';
import { go } from '../nav';
import { Modal } from './modal';

export function Palette({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const known = useKnown();
  const found = find(text, known);
  // Enter may come before the names are known: then it counts as soon as they are.
  const [hasty, setHasty] = useState(false);
  const at = Math.min(chosen, found.length - 1);
  const pick = (to: string | undefined) => {
    if (!to) return;
    close();
    go(to);
  };
  useEffect(() => {
    if (hasty && found.length > 0) pick(found[at]?.to);
  }, [hasty, found.length]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen((at + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setChosen((at - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter' && found.length === 0) setHasty(true);
    else if (event.key === 'Enter') pick(found[at]?.to);
    else return;
    event.preventDefault();
  };
  return (
    <Modal label="Search" close={close} class="palette">
      <input
        type="text"
        role="combobox"
        aria-label="Pull request, repository, delivery or page"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={at >= 0 ? `found-${at}` : undefined}
        placeholder="Pull request, repository, delivery, page"
        autofocus
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
          setHasty(false);
        }}
        onKeyDown={onKey}
      />
      <ul id="found" role="listbox" aria-label="Found">
        {found.map((item, index) => (
          <li
            key={item.kind + item.words}
            id={`found-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => pick(item.to)}
            onMouseMove={() => setChosen(index)}
          >
            <bdi>{item.words}</bdi>
            <span class="quiet">{item.kind}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="quiet">Nothing by that name. A pull request is found by its number, a delivery by its whole id.</p>}
    </Modal>
  );
}

function useKnown(): Known {
  const from = address('/api/v1/overview');
  const [overview, setOverview] = useState(peek(from));
  useEffect(() => {
    if (overview) return;
    void read(from, null).then((fetched) => fetched.kind === 'data' && setOverview(fetched.data));
  }, []);
  return { upstreams: overview?.upstreams ?? [], downstreams: [...new Set(overview?.downstreams.map(({ repo }) => repo) ?? [])] };
}
