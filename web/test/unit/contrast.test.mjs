// Every text colour of every theme against what it stands on, from the style sheet itself.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const css = readFileSync(new URL('../../src/style/base.css', import.meta.url), 'utf8');

function colours(selector) {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0];
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
}

function luminance(hex) {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const light = colours(':root');
const dark = { ...light, ...colours(':root[data-theme="dark"]') };
const more = colours(':root[data-contrast="more"]');
const themes = {
  light,
  dark,
  'high contrast': { ...light, ...more },
  'high contrast, dark': { ...dark, ...more, ...colours(':root[data-contrast="more"][data-theme="dark"]') },
};

for (const [name, theme] of Object.entries(themes)) {
  const least = name.startsWith('high') ? 7 : 4.5;
  test(`text is readable in ${name}`, () => {
    for (const text of ['ink', 'quiet', 'accent'])
      for (const back of ['back', 'raised'])
        assert.ok(contrast(theme[text], theme[back]) >= least, `${text} on ${back}: ${contrast(theme[text], theme[back])}`);
    assert.ok(contrast(theme['on-accent'], theme.accent) >= 4.5, 'on-accent');
    const tones = Object.keys(theme).filter((key) => key.startsWith('tone-'));
    assert.equal(tones.length, 7);
    for (const tone of tones)
      for (const back of ['back', 'raised', tone.replace('tone-', 'back-')])
        assert.ok(contrast(theme[tone], theme[back]) >= least, `${tone} on ${back}: ${contrast(theme[tone], theme[back])}`);
  });
}
