// Who may act from these pages: whoever has an admin token, if the relay knows any. The token lives in this page's memory alone: never in an
// address, a cookie or storage.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { address, read } from './api';

export const token = signal('');
export const actor = signal(''); // the name that goes into the audit beside the token's
const possible = signal<boolean | null>(null);
let asked = false;

// true: the relay has admin tokens. null: it has not said yet. Without them no button is offered.
export function useMayAct(): boolean | null {
  useEffect(() => {
    if (asked) return;
    asked = true;
    void read(address('/api/v1/status'), null).then((fetched) => {
      if (fetched.kind === 'data') possible.value = fetched.data.actions;
      else asked = false;
    });
  }, []);
  return possible.value;
}
