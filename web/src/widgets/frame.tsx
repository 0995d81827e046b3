// What every page has: a title, its controls, how fresh it is, and what to show while there is nothing to show.
import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Answer } from '../answer';
import type { Trouble } from '../api';
import { now } from '../clock';
import { asSentence } from '../figures';
import { notLive } from '../standing';
import { rough } from '../time';

export function Page({
  title,
  head,
  controls,
  tabs,
  children,
}: {
  title: string;
  head?: ComponentChildren;
  controls?: ComponentChildren;
  tabs?: ComponentChildren; // pages that belong together
  children: ComponentChildren;
}) {
  useTitle(title === 'Overview' ? 'Baton' : `${title} · Baton`);
  return (
    <main id="main" tabIndex={-1}>
      {tabs}
      <header class="page-head">
        <div class="page-title">
          <h1>{head ?? title}</h1>
        </div>
        {controls && <div class="controls">{controls}</div>}
      </header>
      {children}
    </main>
  );
}

// The tab says it too: whoever keeps the page among others should see that it is dead.
function useTitle(title: string): void {
  const told = useSignal(title);
  useEffect(() => {
    told.value = title;
  }, [title]);
  useSignalEffect(() => {
    document.title = notLive.value ? `▲ NOT LIVE · ${told.value}` : told.value;
  });
}

export function Section({
  title,
  aside,
  children,
  class: look = '',
}: {
  title: ComponentChildren;
  aside?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}) {
  return (
    <section class={look}>
      <div class="section-head">
        <h2>{title}</h2>
        {aside && <div class="section-aside">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

// Draws data when there is some; otherwise what is going on. Last good data stays while the relay is away: the page's warning says so.
// What is wrong with this part alone is said here.
export function Shown<T>({ answer, children }: { answer: Answer<T>; children: (data: T) => ComponentChildren }) {
  if (answer.data === undefined) return answer.trouble ? <Failed trouble={answer.trouble} retry={answer.retry} /> : <Loading />;
  return (
    <>
      {answer.trouble && !answer.trouble.passing && <Banner trouble={answer.trouble} checked={answer.checked} retry={answer.retry} />}
      {children(answer.data)}
    </>
  );
}

function Banner({ trouble, checked, retry }: { trouble: Trouble; checked: number; retry: () => void }) {
  const age = checked > 0 ? rough(Math.max(0, now.value && Date.now() - checked)) : null;
  return (
    <div class="banner" role="status">
      <strong>{trouble.title}.</strong> {trouble.detail} {age && `What you see is ${age} old.`}{' '}
      <button type="button" class="link" onClick={retry}>
        Try again now
      </button>
    </div>
  );
}

function Failed({ trouble, retry }: { trouble: Trouble; retry: () => void }) {
  return (
    <div class="empty" role="alert">
      <p class="empty-title">{trouble.status === 404 ? 'Not known here' : trouble.title}</p>
      <p>{asSentence(trouble.detail || trouble.title)}</p>
      {trouble.status === 404 ? (
        <p>
          The name may be misspelt, or nothing of it has come yet; this page shows it as soon as something does.{' '}
          <a href="/">Go to the overview</a> or press <kbd>/</kbd> to search.
        </p>
      ) : (
        <p>
          <button type="button" onClick={retry}>
            Try again
          </button>
          {trouble.passing && <span class="quiet"> It is tried again by itself.</span>}
        </p>
      )}
    </div>
  );
}

function Loading() {
  return (
    <div class="loading" role="status">
      <span class="hide">Loading</span>
      <div class="bone bone-wide" />
      <div class="bone" />
      <div class="bone" />
      <div class="bone bone-short" />
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  );
}
