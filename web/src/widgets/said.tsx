// What the last order did. It stands apart from the button: the row that the button stood in is often gone by then.
import { signal } from '@preact/signals';

const said = signal('');

export function say(words: string): void {
  said.value = words;
}

export function Said() {
  return (
    <div class={said.value ? 'said' : ''} role="status">
      {said.value && (
        <>
          <span>{said.value}</span>
          <button type="button" class="link" onClick={() => say('')}>
            Close
          </button>
        </>
      )}
    </div>
  );
}
