// A part of a page whose code is loaded when it is first drawn.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, what: string) {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, redraw] = useState(0);
    const [failed, setFailed] = useState(false);
    const fetch = () => {
      setFailed(false);
      load().then(
        (component) => {
          loaded = component;
          redraw((n) => n + 1);
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
    return failed ? (
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
    );
  };
}
