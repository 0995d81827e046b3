// The browser's own dialog: it keeps the focus inside, Escape closes it, and the focus goes back to where it was.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function Modal({
  label,
  close,
  children,
  class: look = '',
}: {
  label: string;
  close: () => void;
  children: ComponentChildren;
  class?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once: what is typed right after the key that opens it belongs into it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`modal ${look}`}
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      {children}
    </dialog>
  );
}
