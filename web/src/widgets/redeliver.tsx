// Sending again needs an admin token. It is asked for once and lives in this page's memory alone: never in an address, a cookie or storage.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { redeliver } from '../api';
import { plural } from '../figures';
import { Modal } from './modal';

const token = signal('');

export function Redeliver({ delivery, downstream, done }: { delivery: string; downstream: string | null; done: () => void }) {
  const [asking, setAsking] = useState(false);
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const answer = await redeliver(delivery, downstream, token.value);
    setBusy(false);
    if ('redelivered' in answer) {
      setSaid(
        answer.redelivered === 0
          ? 'nothing was left to send'
          : `${plural(answer.redelivered, 'dispatch', 'dispatches')} will be sent again`,
      );
      setAsking(false);
      done();
      return;
    }
    if (answer.status === 401) token.value = '';
    setSaid(`${answer.title}. ${answer.detail}`);
    setAsking(answer.status === 401);
  };
  const begin = () => {
    setSaid('');
    if (token.value) void send();
    else setAsking(true);
  };
  return (
    <>
      <button type="button" class="small" onClick={begin} disabled={busy}>
        {busy ? 'Sending…' : 'Send again'}
      </button>
      {said && !asking && (
        <span class="sub" role="status">
          {said}
        </span>
      )}
      {asking && (
        <Modal label="Send again" close={() => setAsking(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void send();
            }}
          >
            <h2>Send again</h2>
            <p>
              {downstream ? (
                <>
                  The dispatch to <bdi>{downstream}</bdi>
                </>
              ) : (
                'Everything given up'
              )}{' '}
              of delivery <bdi class="mono wrap">{delivery}</bdi>. The relay writes down who asked.
            </p>
            <label class="field stacked">
              <span>Admin token</span>
              <input
                type="password"
                autocomplete="off"
                autofocus
                value={token.value}
                onInput={(event) => (token.value = event.currentTarget.value)}
              />
            </label>
            <p class="quiet small">Kept in this page's memory until you leave or reload it.</p>
            {said && (
              <p class="tone-text-failure" role="alert">
                {said}
              </p>
            )}
            <div class="buttons">
              <button type="submit" class="primary" disabled={busy || !token.value}>
                Send again
              </button>
              <button type="button" onClick={() => setAsking(false)}>
                Cancel
              </button>
            </div>
          </form>
        </Modal>
      )}
    </>
  );
}
