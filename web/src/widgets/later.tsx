// A part of a page, or a whole one, whose code is loaded when it is first drawn.
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

type Frame = (props: { children: ComponentChildren }) => ComponentChildren;

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, what: string, Around: Frame = Bare) {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, redraw] = useState(0);
    const [failed, setFailed] = useState(false);
    const fetch = () => {
      setFailed(false);
      load().then(
        (component) => {
          loaded = component;
          const inside = document.activeElement?.id === 'main';
          redraw((n) => n + 1);
          if (inside) setTimeout(keepFocus);
        },
        () => setFailed(true),
      );
    };
    useEffect(() => {
      if (!loaded) fetch();
    }, []);
    if (loaded) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    return (
      <Around>
        {failed ? (
          <p class="quiet" role="status">
            {what} could not be loaded.{' '}
            <button type="button" class="link" onClick={fetch}>
              Try again
            </button>
          </p>
        ) : (
          <div class="loading" role="status">
            <span class="hide">Loading {what}</span>
            <div class="bone bone-wide" />
          </div>
        )}
      </Around>
    );
  };
}

export function laterPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return later(load, 'The page', Main);
}

function Bare({ children }: { children: ComponentChildren }) {
  return <>{children}</>;
}

// Whoever came by a link stands in the page, also when the page itself comes a moment later.
function keepFocus(): void {
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

function Main({ children }: { children: ComponentChildren }) {
  return (
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  );
}
