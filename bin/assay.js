#!/usr/bin/env node
// The launcher: plain JavaScript that any Node since 14 understands. It checks the version, answers --version
// without loading anything else, and starts the command line.
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const here = (path) => new URL(path, import.meta.url);

// Exit code 1 means "blocked by a gate"; a fault must never look like one, not even when standard error is gone.
process.on('uncaughtException', (error) => {
  const debug = process.argv.includes('--debug');
  process.stderr.on('error', () => {});
  // What a message quotes must not drive the terminal.
  const text = `assay: unexpected fault: ${debug ? error.stack : error.message} [INTERNAL]`;
  process.stderr.write(`${text.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, ' ')}\n`);
  process.exit(3);
});

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  await runWithLocalNode();
} else if (['--version', '-V'].includes(process.argv[2])) {
  process.stdout.write(`${JSON.parse(readFileSync(here('../package.json'), 'utf8')).version}\n`);
} else {
  keepCompiled();
  const { main } = await load('cli/main');
  await main(process.argv.slice(2));
}

/** A clone runs its sources, an installed package what was built from them. */
function load(name) {
  const source = here(`../src/${name}.ts`);
  return import((existsSync(source) ? source : here(`../dist/${name}.js`)).href);
}

/** Compiled code is run: it is kept where nobody else can put any, or not at all. Node's own place is shared by all. */
function keepCompiled() {
  if (module.getCompileCacheDir() !== undefined) return;
  const { HOME, XDG_CACHE_HOME } = process.env;
  const cache = XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : undefined;
  // A relative home would be a folder of the one that one stands in.
  const base = cache ?? join(HOME ?? homeOfAccount(), '.cache');
  if (!isAbsolute(base)) return;
  const home = join(base, 'assay');
  const folder = join(home, 'compiled');
  if (isOwn(home) && isOwn(folder) && isGuarded(home)) module.enableCompileCache(folder);
}

/** An account without a name has none, and asking for it fails. */
function homeOfAccount() {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/**
 * As `src/own-folder.ts` checks every other folder: nobody else's, not to be written by others, and no link. Said again
 * here, because reading that file takes the compiler that this folder is to save.
 */
function isOwn(path) {
  try {
    makeFolder(path);
    const { mode, uid, gid } = lstatSync(path);
    if (!lstatSync(path).isDirectory()) return false;
    if (process.geteuid === undefined) return true;
    return uid === process.geteuid() && (mode & (gid === uid ? 0o002 : 0o022)) === 0;
  } catch {
    return false;
  }
}

/** One by one: where a folder takes no others, as in /proc, Node's own way of making several at once never ends. */
function makeFolder(path) {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (error.code !== 'EEXIST') throw error;
  }
}

/** Nobody else can put another folder in its place, anywhere on the way to it. */
function isGuarded(path) {
  if (process.geteuid === undefined) return true;
  try {
    for (let folder = dirname(realpathSync(path)); ; folder = dirname(folder)) {
      const { mode, uid, gid } = statSync(folder);
      if (uid !== 0 && uid !== process.geteuid()) return false;
      const isOwnGroup = gid === uid || gid === process.geteuid();
      if ((mode & 0o1000) === 0 && (mode & (isOwnGroup ? 0o002 : 0o022)) !== 0) return false;
      if (dirname(folder) === folder) return true;
    }
  } catch {
    return false;
  }
}

/** Node 24 as the npm package `node` installs it: in our own node_modules, or beside us in somebody else's. */
async function runWithLocalNode() {
  const home = ['../node_modules/node/', '../../node/'].find(isNewEnough);
  if (home === undefined) return refuse(`assay needs Node ${NEEDED} or newer and this is ${process.version}`);
  const node = fileURLToPath(here(`${home}bin/node`));
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  child.on('error', (error) => refuse(`assay: ${node} cannot be started: ${error.message}`));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal !== null) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}

/** An older one would start itself again and again. */
function isNewEnough(home) {
  try {
    const { version } = JSON.parse(readFileSync(here(`${home}package.json`), 'utf8'));
    return Number(version.split('.')[0]) >= NEEDED && existsSync(here(`${home}bin/node`));
  } catch {
    return false;
  }
}

/** A clone brings Node as a development dependency, with a script that puts it in its place. */
function refuse(reason) {
  const isClone = existsSync(here('../src'));
  const remedy = isClone
    ? 'run npm install in the clone, without --omit=dev, --ignore-scripts or NODE_ENV=production'
    : `run npm install node@${NEEDED}`;
  process.stderr.write(`${reason}; update Node, or ${remedy}\n`);
  process.exitCode = 3;
}
