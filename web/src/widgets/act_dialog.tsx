// Asks for what an order needs, and for the token when there is none yet.
import { useState } from 'preact/hooks';
import { actor, token } from '../may_act';
import type { DialogProps, Field, Filled } from './act';
import { Modal } from './modal';

export function ActDialog({ order, begin, over }: DialogProps) {
  const [filled, setFilled] = useState<Filled>(() =>
    Object.fromEntries(order.fields.map(({ name, options }) => [name, options?.[0]?.value ?? ''])),
  );
  const [asksToken] = useState(!token.value);
  const [wrong, setWrong] = useState(begin);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState(false); // the token that was given before is not good any more
  const missing = !token.value || order.fields.some(({ name, needed }) => needed && !filled[name]?.trim());
  const send = async () => {
    if (missing || busy) return;
    setBusy(true);
    setWrong('');
    const result = await order.run({ ...filled, name: actor.value.trim() }, token.value);
    setBusy(false);
    if (typeof result === 'string') return over(result);
    setWrong(`${result.title}. ${result.detail}`);
    if (result.status !== 401) return;
    token.value = '';
    setRefused(true);
  };
  return (
    <Modal label={order.title} close={() => over(null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h2>{order.title}</h2>
        <div class="act-explain">{order.explain}</div>
        {order.fields.map((field, at) => (
          <Asked
            key={field.name}
            field={field}
            first={at === 0}
            value={filled[field.name] ?? ''}
            set={(value) => setFilled({ ...filled, [field.name]: value })}
          />
        ))}
        {order.fields.length > 0 && (
          <label class="field stacked">
            <span>Your name, when several people share a token</span>
            <input
              type="text"
              maxLength={64}
              autocomplete="off"
              value={actor.value}
              onInput={(event) => (actor.value = event.currentTarget.value)}
            />
          </label>
        )}
        {(asksToken || refused) && <AskToken first={order.fields.length === 0} />}
        {wrong && (
          <p class="tone-text-failure" role="alert">
            {wrong}
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="primary" disabled={busy || missing}>
            {busy ? 'One moment…' : order.verb}
          </button>
          <button type="button" onClick={() => over(null)}>
            Cancel
          </button>
        </div>
      </form>
    </Modal>
  );
}

function AskToken({ first }: { first: boolean }) {
  return (
    <>
      <label class="field stacked">
        <span>Admin token</span>
        <input
          type="password"
          autocomplete="off"
          autofocus={first}
          value={token.value}
          onInput={(event) => (token.value = event.currentTarget.value)}
        />
      </label>
      <p class="quiet small">
        One of <code>admin_tokens</code> in the relay's configuration. Kept in this page's memory until you leave or reload it.
      </p>
    </>
  );
}

function Asked({ field, first, value, set }: { field: Field; first: boolean; value: string; set: (value: string) => void }) {
  const common = { value, autofocus: first, onInput: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value) };
  return (
    <label class="field stacked">
      <span>{field.label}</span>
      {field.kind === 'choice' ? (
        <select {...common}>
          {field.options!.map((option) => (
            <option key={option.value} value={option.value}>
              {option.words}
            </option>
          ))}
        </select>
      ) : field.kind === 'text' ? (
        <textarea {...common} rows={4} maxLength={field.most} required={field.needed} />
      ) : (
        <input {...common} type="text" maxLength={field.most} required={field.needed} autocomplete="off" />
      )}
    </label>
  );
}
