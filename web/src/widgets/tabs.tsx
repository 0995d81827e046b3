// Pages that belong together, as one line of links.
import { path } from '../nav';

const groups = {
  pulls: [
    { to: '/pulls', words: 'List' },
    { to: '/matrix', words: 'Matrix' },
  ],
  failures: [
    { to: '/clusters', words: 'Clusters' },
    { to: '/flaky', words: 'Flaky jobs' },
    { to: '/tests', words: 'One test' },
  ],
  time: [
    { to: '/trends', words: 'Trends' },
    { to: '/nightly', words: 'Nightlies' },
    { to: '/suites', words: 'Suites' },
    { to: '/benchmarks', words: 'Benchmarks' },
  ],
};

export function Tabs({ of, label }: { of: keyof typeof groups; label: string }) {
  return (
    <nav class="switch tabs" aria-label={label}>
      {groups[of].map(({ to, words }) => (
        <a key={to} href={to} aria-current={path.value === to ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  );
}
