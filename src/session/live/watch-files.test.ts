import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, it } from 'vitest';
import { tempFolder } from '../ingest/testing/temp-folder.ts';
import { FileWatch } from './watch-files.ts';

const folder = tempFolder();
let watch: FileWatch | undefined;
afterEach(() => watch?.stop());

/** `folders` are those with events; the others are only looked at. */
function watching(root: string, folders: readonly string[], mostFolders?: number) {
  const noticed: string[] = [];
  let onTold = () => {};
  const list = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(root, name));
  watch = new FileWatch({
    list,
    folders,
    everyMs: 50,
    mostFolders,
    onChange: (paths) => {
      noticed.push(...paths);
      onTold();
    },
  });
  watch.start();
  return async (path: string) => {
    while (!noticed.includes(path))
      await new Promise<void>((resolve) => {
        onTold = resolve;
      });
    noticed.length = 0;
  };
}

it.each(['events', 'looking', 'a folder without events'])(
  'tells of files that come, grow, are renamed and go, by %s',
  async (how) => {
    const root = join(folder.path, how);
    mkdirSync(join(root, 'deep'), { recursive: true });
    const until = watching(
      root,
      how === 'events' ? [root] : [],
      how === 'a folder without events' ? 0 : undefined,
    );
    const path = join(root, 'a.jsonl');
    writeFileSync(path, '1');
    await until(path);
    appendFileSync(path, '2');
    await until(path);
    const moved = join(root, 'deep', 'b.jsonl');
    renameSync(path, moved);
    await until(moved);
    rmSync(moved);
    await until(moved);
  },
);
