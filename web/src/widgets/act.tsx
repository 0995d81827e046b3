// A button that orders something. What it does, why and by whom is asked in a dialog, whose code is loaded with the first one.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Trouble } from '../api';
import { token, useMayAct } from '../may_act';
import { later } from './later';
import { say } from './said';

export interface Field {
  name: string;
  label: string;
  kind: 'line' | 'text' | 'choice';
  options?: { value: string; words: string }[];
  most?: number; // characters
  needed?: boolean;
}

export type Filled = Record<string, string>;

export interface Order {
  title: string; // what will be done, as a title
  explain: ComponentChildren;
  verb: string; // on the button that does it
  fields: Field[];
  always?: boolean; // asks even where nothing has to be filled in
  run: (filled: Filled, token: string) => Promise<string | Trouble>; // what was done, in words
}

export interface DialogProps {
  order: Order;
  begin: string; // what to say at once: why the token has to be given again
  over: (said: string | null) => void; // null: nothing was done
}

const Dialog = later<DialogProps>(async () => (await import('./act_dialog')).ActDialog, 'The dialog');

export const why: Field = { name: 'reason', label: 'Why? Kept in the audit', kind: 'line', most: 500, needed: true };

interface Props {
  words: string;
  order: Order;
  done: () => void;
  label?: string; // where the words alone do not say what it is about
  plain?: boolean; // as a link, where buttons would be louder than what they stand beside
}

export function Act({ words, order, done, label, plain = false }: Props) {
  const may = useMayAct();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState('');
  if (!may) return null;
  const over = (result: string | null) => {
    setAsking(false);
    if (result === null) return;
    setWrong('');
    say(result);
    done();
  };
  // What needs no reason is done at once by whoever has shown a token before.
  const begin = async () => {
    setWrong('');
    say('');
    if (order.always || order.fields.length > 0 || !token.value) return setAsking(true);
    setBusy(true);
    const result = await order.run({}, token.value);
    setBusy(false);
    if (typeof result === 'string') return over(result);
    setWrong(`${result.title}. ${result.detail}`);
    if (result.status !== 401) return;
    token.value = '';
    setAsking(true);
  };
  return (
    <>
      <button type="button" class={plain ? 'link small' : 'small'} onClick={() => void begin()} disabled={busy} aria-label={label}>
        {words}
      </button>
      {wrong && !asking && (
        <span class="sub tone-text-failure" role="alert">
          {wrong}
        </span>
      )}
      {asking && <Dialog order={order} begin={wrong} over={over} />}
    </>
  );
}

// Where buttons could stand and cannot: why, and what to do instead.
export function CannotAct({ instead }: { instead: string }) {
  if (useMayAct() !== false) return null;
  return (
    <p class="quiet">
      Nothing can be done from these pages: the relay knows no admin token. Set <code>admin_tokens</code> in its configuration and send it
      SIGHUP, or run <code>{instead}</code> on its host.
    </p>
  );
}
