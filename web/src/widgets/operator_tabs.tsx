// The pages about the relay itself stand side by side.
import { path } from '../nav';

const tabs = [
  { to: '/status', words: 'Status' },
  { to: '/dead', words: 'Given up' },
  { to: '/refused', words: 'Refused' },
  { to: '/allowlist', words: 'Allowlist' },
  { to: '/audit', words: 'Audit' },
];

export function OperatorTabs() {
  return (
    <nav class="switch tabs" aria-label="About the relay">
      {tabs.map(({ to, words }) => (
        <a key={to} href={to} aria-current={path.value === to ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  );
}
