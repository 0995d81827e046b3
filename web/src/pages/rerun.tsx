// Has one downstream run again on the newest commit of a pull request.
import type { Schemas } from '../api';
import { rerun } from '../orders';
import { Act, why, type Field, type Filled } from '../widgets/act';

const which: Field = {
  name: 'scope',
  label: 'Which jobs',
  kind: 'choice',
  options: [
    { value: 'failed', words: 'those that did not pass' },
    { value: 'all', words: 'all of them' },
  ],
};

interface Props {
  pull: Schemas['Pull'];
  backend: Schemas['BackendOnPull'];
  done: () => void;
}

export function Rerun({ pull, backend, done }: Props) {
  if (backend.level === 'L1' || ['none', 'pending'].includes(backend.state)) return null; // there is nothing to run again yet
  const [owner = '', repo = ''] = pull.upstream.split('/');
  const order = {
    title: 'Run again',
    explain: (
      <p>
        <bdi>{backend.repo}</bdi> runs again on the newest commit of <bdi>{pull.upstream}</bdi> #{pull.number}. Its own machines do the
        work.
      </p>
    ),
    verb: 'Run again',
    fields: [which, why],
    run: (filled: Filled, token: string) => rerun({ owner, repo, number: pull.number }, backend.repo, filled, token),
  };
  const well = ['success', 'running', 'waiting'].includes(backend.outcome);
  return <Act plain={well} words="Run again" label={`Run again: ${backend.repo}`} order={order} done={done} />;
}
