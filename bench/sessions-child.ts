/** The floor that `bench/sessions.ts` compares with: every line of a folder through JSON.parse, and nothing else. */
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { makeOwnFolder, userCacheFolder } from '../src/own-folder.ts';

// As the launcher does.
const compiled = join(userCacheFolder(process.env), 'compiled');
if (makeOwnFolder(compiled)) enableCompileCache(compiled);
const { filesOf } = await import('../src/session/ingest/files/find-files.ts');
let count = 0;
const files = filesOf(process.argv.slice(2), ({ path, why }) => {
  throw new Error(`${path}: ${why}`);
});
for (const path of files) {
  const bytes = readFileSync(path);
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(10, from);
    const end = newline < 0 ? bytes.length : newline;
    if (end > from) JSON.parse(bytes.toString('utf8', from, end));
    count += 1;
    from = end + 1;
  }
}
console.log(count);
