// Light, dark, high contrast, or as the system says. The choice is the reader's own, so that it is kept in the browser, not in the address.

export const themes = ['system', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof themes)[number];

export function chosenTheme(): Theme {
  const said = remembered('baton.theme');
  return themes.find((theme) => theme === said) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  remember('baton.theme', theme);
  applyTheme();
}

export function applyTheme(): void {
  const chosen = chosenTheme();
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const contrast = chosen === 'contrast' || (chosen === 'system' && matchMedia('(prefers-contrast: more)').matches);
  const root = document.documentElement;
  root.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : dark ? 'dark' : 'light';
  root.dataset.contrast = contrast ? 'more' : 'normal';
}

export function followSystem(): void {
  for (const wish of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']) matchMedia(wish).addEventListener('change', applyTheme);
}

// A browser may refuse to remember; then everything works and is forgotten.
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // private windows of some browsers
  }
}
