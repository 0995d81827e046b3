// Builds the pages: node build.mjs [OUT]   (OUT: ../build/web)
// OUT/index.html and OUT/assets/*, each with its .gz beside it. Names of assets carry their content's hash, so that a
// server may call them immutable. Exit codes: 0 built, 1 a type error or too large, 2 unusable.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, '../build/web'));
const budgets = { script: 40_000, style: 12_000 }; // bytes after gzip -9

async function tools() {
  try {
    return { esbuild: await import('esbuild'), openapi: await import('openapi-typescript') };
  } catch (missing) {
    console.error(`web: ${missing.message}\nweb: run npm ci in web/ first`);
    process.exit(2);
  }
}

async function writeTypes(openapi) {
  const tree = await openapi.default(JSON.parse(readFileSync(join(here, 'openapi.json'), 'utf8')));
  mkdirSync(join(here, 'generated'), { recursive: true });
  writeFileSync(join(here, 'generated/api.d.ts'), openapi.astToString(tree));
}

function checkTypes() {
  try {
    execFileSync(process.execPath, [join(here, 'node_modules/typescript/bin/tsc'), '--project', here], { stdio: 'inherit' });
  } catch {
    console.error('web: the types do not fit (see above)');
    process.exit(1);
  }
}

const common = { bundle: true, minify: true, target: 'es2022', legalComments: 'none', metafile: true, logLevel: 'warning' };

// `core` is split, so that what few pages need is loaded by them alone. `before` runs before the first paint.
async function bundle(esbuild) {
  const at = { outdir: join(out, 'assets'), entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]', assetNames: '[name]-[hash]' };
  const source = (name) => join(here, 'src', name);
  const core = await esbuild.build({
    ...common,
    ...at,
    entryPoints: { core: source('main.tsx') },
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const before = await esbuild.build({ ...common, ...at, entryPoints: { before: source('before.ts') }, format: 'iife' });
  const style = await esbuild.build({ ...common, ...at, entryPoints: { style: source('style/style.css') } });
  const icon = await esbuild.build({ ...common, ...at, entryPoints: { icon: source('icon.svg') }, loader: { '.svg': 'copy' } });
  return { core: core.metafile, before: before.metafile, style: style.metafile, icon: icon.metafile };
}

// What is imported later is an entry of its own to esbuild; ours is the one that was asked for.
const asked = /src\/(main\.tsx|before\.ts|icon\.svg|style\/style\.css)$/;

function entryPath(metafile) {
  const [path] = Object.entries(metafile.outputs).find(([, made]) => asked.test(made.entryPoint ?? '')) ?? [];
  return path ?? Object.keys(metafile.outputs)[0];
}

function entry(metafile) {
  return basename(entryPath(metafile));
}

// The entry and all that it imports at once; what it imports later is not core.
function coreFiles(metafile) {
  const wanted = new Set();
  const visit = (path) => {
    if (wanted.has(path)) return;
    wanted.add(path);
    for (const link of metafile.outputs[path].imports) if (link.kind === 'import-statement') visit(link.path);
  };
  visit(entryPath(metafile));
  return [...wanted].map((path) => basename(path));
}

function writePage(made) {
  const preload = coreFiles(made.core).filter((name) => name !== entry(made.core));
  const names = { CORE: entry(made.core), BEFORE: entry(made.before), STYLE: entry(made.style), ICON: entry(made.icon) };
  let page = readFileSync(join(here, 'src/index.html'), 'utf8');
  for (const [word, name] of Object.entries(names)) page = page.replaceAll(`{${word}}`, `/assets/${name}`);
  page = page.replace('{PRELOAD}', preload.map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join('\n'));
  writeFileSync(join(out, 'index.html'), page);
}

function compress() {
  const sizes = new Map();
  const files = ['index.html', ...readdirSync(join(out, 'assets')).map((name) => `assets/${name}`)];
  for (const name of files) {
    const packed = gzipSync(readFileSync(join(out, name)), { level: 9 });
    writeFileSync(join(out, `${name}.gz`), packed);
    sizes.set(basename(name), packed.length);
  }
  return sizes;
}

function withinBudget(what, names, sizes, budget) {
  const bytes = names.reduce((sum, name) => sum + sizes.get(name), 0);
  const fits = bytes <= budget;
  const line = `web: ${what} ${bytes} of ${budget} bytes gzip (${names.join(' + ')})`;
  if (fits) console.log(line);
  else console.error(`${line}: too large by ${bytes - budget}. Load it later with import(), or take something out.`);
  return fits;
}

const { esbuild, openapi } = await tools();
await writeTypes(openapi);
checkTypes();
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'assets'), { recursive: true });
const made = await bundle(esbuild);
writePage(made);
const sizes = compress();
const core = [entry(made.before), ...coreFiles(made.core)];
const later = [...sizes.keys()].filter((name) => name.endsWith('.js') && !core.includes(name));
for (const name of later) console.log(`web: later ${sizes.get(name)} bytes gzip (${name})`);
const good = [
  withinBudget('core script', core, sizes, budgets.script),
  withinBudget('style', [entry(made.style)], sizes, budgets.style),
].every(Boolean);
if (!good) process.exitCode = 1;
