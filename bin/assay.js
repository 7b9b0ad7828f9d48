#!/usr/bin/env node
// The launcher: plain JavaScript that any Node since 14 understands. It checks the version, answers --version
// without loading anything else, and starts the command line.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const here = (path) => new URL(path, import.meta.url);

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  runWithLocalNode();
} else if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  process.stdout.write(`${JSON.parse(readFileSync(here('../package.json'), 'utf8')).version}\n`);
} else {
  module.enableCompileCache();
  // A clone runs its sources, an installed package what was built from them.
  const source = here('../src/cli/main.ts');
  const { main } = await import((existsSync(source) ? source : here('../dist/cli/main.js')).href);
  await main(process.argv.slice(2));
}

/** Node 24 as the npm package `node` installs it: in our own node_modules, or beside us in somebody else's. */
function runWithLocalNode() {
  const node = ['../node_modules/node/bin/node', '../../node/bin/node']
    .map((path) => fileURLToPath(here(path)))
    .find(existsSync);
  if (node === undefined) {
    process.stderr.write(
      `assay needs Node ${NEEDED} or newer and this is ${process.version}; update Node, or run: npm install node@${NEEDED}\n`,
    );
    process.exitCode = 3;
    return;
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal !== null) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}
