// node prepare.mjs FOLDER
//
// Writes GitHub's descriptions of its API and of its webhooks into FOLDER, each cut down to what descriptions.json
// keeps and what that refers to. The packages they come in are large (one of them has 385 MB), so that nothing of them
// stays: a tarball is fetched into a temporary folder, checked, read for one file, and removed. What comes of it is kept
// per user, so that a second clone asks nobody.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

import { pruned } from './lib/prune.mjs';

const BYTES_MAX = 256 * 1024 * 1024;
const here = import.meta.dirname;

/** The one file of the package that we want, as text; the package itself is gone when this returns. */
function fetched(source) {
    const folder = mkdtempSync(join(tmpdir(), 'baton-conformance-'));
    try {
        const spec = `${source.package}@${source.version}`;
        const options = ['--silent', '--fetch-retries=1', '--fetch-timeout=60000', '--pack-destination', folder];
        const name = execFileSync('npm', ['pack', spec, ...options], { cwd: folder, encoding: 'utf8' }).trim();
        const tarball = join(folder, name);
        const digest = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
        if (digest !== source.integrity) {
            throw new Error(`${spec} is not the package that descriptions.json names: ${digest}`);
        }
        return execFileSync('tar', ['-xzOf', tarball, source.member], { encoding: 'utf8', maxBuffer: BYTES_MAX });
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/** Under the user's cache, by everything that decides what is in it. */
function cacheFile(name, source) {
    const root = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
    const recipe = JSON.stringify(source) + readFileSync(join(here, 'lib', 'prune.mjs'), 'utf8');
    const key = createHash('sha256').update(recipe).digest('hex').slice(0, 16);
    return join(root, 'baton', 'conformance', `${name}-${source.version}-${key}.json`);
}

/** Whole or not at all: another run may be reading. */
function writeWhole(file, text) {
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
}

function prepare(name, source, folder) {
    const target = join(folder, `${name}.json`);
    const kept = cacheFile(name, source);
    if (existsSync(kept)) {
        copyFileSync(kept, target);
        return;
    }
    const text = JSON.stringify(pruned(JSON.parse(fetched(source)), source));
    writeWhole(target, text);
    console.error(`${source.package} ${source.version}: kept ${Math.round(text.length / 1024)} KB`);
    try {
        mkdirSync(join(kept, '..'), { recursive: true });
        writeWhole(kept, text);
    } catch (error) {
        console.error(`not kept for the next time: ${error.message}`);
    }
}

const folder = process.argv[2];
if (!folder) {
    console.error('usage: node prepare.mjs FOLDER');
    process.exit(2);
}
mkdirSync(folder, { recursive: true });
const sources = JSON.parse(readFileSync(join(here, 'descriptions.json'), 'utf8'));
try {
    for (const [name, source] of Object.entries(sources)) {
        prepare(name, source, folder);
    }
} catch (error) {
    console.error(`cannot prepare the descriptions: ${error.message}`);
    process.exit(1);
}
