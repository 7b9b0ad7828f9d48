/** Before `npm start` in a clone: whoever opens the dashboard finds it built, and built from what is there now. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const WEB = join(import.meta.dirname, '../web');
const BUILT = join(import.meta.dirname, '../dist/web/index.html');

function isBuilt(): boolean {
  const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return globSync('**/*', { cwd: WEB }).every((path) => statSync(join(WEB, path)).mtimeMs <= builtAt);
}

// Without a terminal nothing is served.
if (process.stdout.isTTY && !isBuilt()) {
  process.stdout.write('Building the dashboard.\n');
  await build({ root: WEB, logLevel: 'warn' });
}
