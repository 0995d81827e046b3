// Sends one dispatch again.
import { redeliver } from '../orders';
import { Act } from './act';

export function Redeliver({ delivery, downstream, done }: { delivery: string; downstream: string; done: () => void }) {
  const order = {
    title: 'Send again',
    explain: (
      <p>
        The dispatch to <bdi>{downstream}</bdi> of delivery <bdi class="mono wrap">{delivery}</bdi>. The relay writes down who asked.
      </p>
    ),
    verb: 'Send again',
    fields: [],
    run: (_: Record<string, string>, token: string) => redeliver(delivery, downstream, token),
  };
  return <Act words="Send again" order={order} done={done} />;
}
