// The frame around every page: where one can go, how fresh it all is, and the net under a page that breaks.
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LiveState } from './changes';
import { now, switchZone, zone } from './clock';
import { live, togglePause } from './live';
import { path, route } from './nav';
import { pages } from './pages/pages';
import { doubtful, standing } from './standing';
import { clock, rough } from './time';
import { chosenTheme, chooseTheme, themes } from './theme';
import { closeLayers, layer, listenToKeys, open } from './widgets/keys';
import { KeySheet } from './widgets/key_sheet';
import { Palette } from './widgets/palette';
import { Said } from './widgets/said';
import { Warning } from './widgets/warning';

const places = [
  { to: '/', words: 'Overview', pages: ['overview', 'downstream', 'job'] },
  { to: '/pulls', words: 'Pulls', pages: ['pulls', 'pull', 'matrix'] },
  { to: '/clusters', words: 'Failures', pages: ['clusters', 'cluster', 'flaky', 'tests'] },
  { to: '/trends', words: 'Trends', pages: ['trends', 'nightly', 'suites', 'benchmarks', 'job_history'] },
  { to: '/levels', words: 'Levels', pages: ['levels', 'level'] },
  { to: '/quality', words: 'Quality', pages: ['quality'] },
  { to: '/deliveries', words: 'Deliveries', pages: ['deliveries', 'delivery'] },
  { to: '/status', words: 'Relay', pages: ['status', 'dead', 'refused', 'allowlist', 'audit'] },
  { to: '/help', words: 'Help', pages: ['help'] },
];

export function Shell() {
  useEffect(listenToKeys, []);
  const at = route.value;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <div class="top-inside">
          <a class="brand" href="/" aria-label="Baton, overview">
            <Logo />
            <span>Baton</span>
          </a>
          <nav class="places" aria-label="Pages">
            {places.map(({ to, words, pages: of }) => (
              <a key={to} href={to} aria-current={of.includes(at.page.replace(/^quality_.*/, 'quality')) ? (path.value === to ? 'page' : 'true') : undefined}>
                {words}
              </a>
            ))}
          </nav>
          <div class="tools">
            <button type="button" class="search" onClick={() => open('palette')}>
              Search <kbd>/</kbd>
            </button>
            <ThemeChoice />
          </div>
        </div>
      </header>
      <Warning />
      <Net key={path.value}>{pages(at)}</Net>
      <Said />
      <Freshness />
      {layer.value === 'palette' && <Palette close={closeLayers} />}
      {layer.value === 'keys' && <KeySheet close={closeLayers} />}
    </>
  );
}

const liveWords: Record<LiveState, string> = { live: 'Live', connecting: 'Connecting', paused: 'Paused', away: 'Not live' };

// "As of": when the relay last confirmed the oldest thing on the page.
function Freshness() {
  const oldest = standing.value.checked;
  const age = oldest === null ? 0 : Math.max(0, now.value && Date.now() - oldest);
  const state = live.value;
  return (
    <footer class="bottom">
      <div class="bottom-inside">
        <span class={`live live-${state}`}>
          <span class="dot" aria-hidden="true" /> <span aria-live="polite">{liveWords[state]}</span>
        </span>
        {oldest !== null && (
          <span class={doubtful.value ? 'stale' : ''}>
            as of {clock(oldest, zone.value)}
            {age > 10_000 && ` (${rough(age)} ago)`}
          </span>
        )}
        <span class="grow" />
        <button type="button" class="link" onClick={togglePause} aria-pressed={state === 'paused'}>
          {state === 'paused' ? 'Resume' : 'Pause'}
        </button>
        <button type="button" class="link" onClick={switchZone} title="times in UTC or by your own clock">
          {zone.value === 'utc' ? 'UTC' : 'local time'}
        </button>
        <button type="button" class="link" onClick={() => open('keys')}>
          Keys <kbd>?</kbd>
        </button>
      </div>
    </footer>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme());
  return (
    <select
      class="theme"
      aria-label="Colours"
      value={theme}
      onChange={(event) => {
        const chosen = themes.find((name) => name === event.currentTarget.value) ?? 'system';
        chooseTheme(chosen);
        setTheme(chosen);
      }}
    >
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
      <option value="contrast">Contrast</option>
    </select>
  );
}

function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
      <path class="logo-body" d="M7 25 25 7" />
      <path class="logo-grip" d="M7 25l6-6" />
    </svg>
  );
}

// A page that breaks says so; the frame around it goes on.
class Net extends Component<{ children: ComponentChildren }, { broken: string | null }> {
  override state = { broken: null };

  static override getDerivedStateFromError(error: unknown) {
    return { broken: error instanceof Error ? error.message : 'unknown' };
  }

  override render() {
    if (this.state.broken === null) return this.props.children;
    return (
      <main id="main" tabIndex={-1}>
        <div class="empty" role="alert">
          <p class="empty-title">This page broke</p>
          <p>That is a fault of the page, not of the relay: {this.state.broken}</p>
          <p>
            <button type="button" onClick={() => this.setState({ broken: null })}>
              Draw it again
            </button>
          </p>
        </div>
      </main>
    );
  }
}
