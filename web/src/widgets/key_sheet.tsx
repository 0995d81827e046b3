import { keySheet } from './keys';
import { Modal } from './modal';

export function KeyList() {
  return (
    <dl class="keys">
      {keySheet.map(({ keys, does }) => (
        <div key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}

export function KeySheet({ close }: { close: () => void }) {
  return (
    <Modal label="Keys" close={close}>
      <h2>Keys</h2>
      <KeyList />
      <form method="dialog">
        <button>Close</button>
      </form>
    </Modal>
  );
}
