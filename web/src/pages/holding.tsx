// Suspends a downstream, or resumes it.
import type { Schemas } from '../api';
import { resume, suspend } from '../orders';
import { Act, why, type Field, type Filled } from '../widgets/act';

const howLong: Field = {
  name: 'until',
  label: 'For how long',
  kind: 'choice',
  options: [
    { value: '4h', words: '4 hours' },
    { value: '1d', words: 'a day' },
    { value: '7d', words: 'a week' },
    { value: '', words: 'until somebody resumes it' },
  ],
};

export function Holding({ downstream, done }: { downstream: Schemas['Downstream']; done: () => void }) {
  const { repo, upstream, suspended } = downstream;
  const whose: Field = {
    name: 'upstream',
    label: 'What it no longer gets',
    kind: 'choice',
    options: [
      { value: '', words: 'events of every upstream' },
      { value: upstream, words: `only events of ${upstream}` },
    ],
  };
  const order = suspended
    ? {
        title: 'Resume',
        explain: (
          <p>
            <bdi>{repo}</bdi> gets events again from now on.
          </p>
        ),
        verb: 'Resume it',
        fields: [why],
        run: (filled: Filled, token: string) => resume(repo, filled, token),
      }
    : {
        title: 'Suspend',
        explain: (
          <p>
            <bdi>{repo}</bdi> gets no events until the time is over or somebody resumes it. What comes in the meantime is not sent
            later.
          </p>
        ),
        verb: 'Suspend it',
        fields: [why, howLong, whose],
        run: (filled: Filled, token: string) => suspend(repo, filled, token),
      };
  return <Act words={suspended ? 'Resume…' : 'Suspend…'} order={order} done={done} />;
}
