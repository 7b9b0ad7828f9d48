import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAll } from '../read-all.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { filesOf as findFiles, type Unread } from './find-files.ts';

function filesOf(paths: readonly string[]): string[] {
  return findFiles(paths, ({ path }) => {
    throw new Error(`${path} cannot be read`);
  });
}

describe('the files that were named', () => {
  const folder = tempFolder();
  const outside = tempFolder();
  const odd = tempFolder();
  const names = (paths: readonly string[]) => paths.map((path) => path.replace(`${folder.path}/`, ''));
  for (const name of [
    'b.jsonl',
    'a/z.json',
    'a/x.jsonl.gz',
    'a/s.jsonl.reset.2026-01-01T00-00-00Z',
    'a/t.traj',
    'n.md',
    'a/sessions.json',
  ]) {
    folder.write(name, '{}');
  }
  outside.write('secret.jsonl', '{}');
  symlinkSync(outside.path, join(folder.path, 'a/out'));
  symlinkSync(folder.path, join(folder.path, 'a/round'));
  symlinkSync(join(outside.path, 'secret.jsonl'), join(folder.path, 'a/link.jsonl'));

  const all = ['a/s.jsonl.reset.2026-01-01T00-00-00Z', 'a/t.traj', 'a/x.jsonl.gz', 'a/z.json', 'b.jsonl'];

  it('of a folder are the plausible ones, by path, and no link is followed', () => {
    const unread: Unread[] = [];
    expect(names(findFiles([folder.path], (one) => unread.push(one)))).toEqual(all);
    // One that leads into the folder leads to what is read anyway.
    expect(unread.map(({ path }) => path.replace(`${folder.path}/`, '')).sort()).toEqual([
      'a/link.jsonl',
      'a/out',
    ]);
    expect(unread[0]?.why).toContain(`name ${outside.path}`);
    expect(filesOf([folder.path, outside.path])).toContain(join(outside.path, 'secret.jsonl'));
  });

  it('say what stands where a transcript could: a link to nowhere, a pipe, but no lock of an editor', () => {
    odd.write('fine.jsonl', '{}');
    symlinkSync('/nowhere/at/all', join(odd.path, 'gone'));
    symlinkSync('self.jsonl', join(odd.path, 'self.jsonl'));
    symlinkSync('ada@host.1234', join(odd.path, '.#fine.jsonl'));
    execFileSync('mkfifo', [join(odd.path, 'pipe.jsonl'), join(odd.path, 'pipe')]);
    const unread: Unread[] = [];
    expect(findFiles([odd.path], (one) => unread.push(one))).toHaveLength(1);
    expect(unread.map(({ path, why }) => [path.replace(`${odd.path}/`, ''), why]).sort()).toEqual([
      ['gone', 'it is a link that leads nowhere'],
      ['pipe.jsonl', 'it is a pipe, not a file'],
      ['self.jsonl', 'it is a link that leads nowhere'],
    ]);
  });

  it('are each given once, in the same order whatever the order of the arguments', () => {
    const twice = [join(folder.path, 'b.jsonl'), folder.path, join(folder.path, 'a'), outside.path];
    const read = [...all, join(outside.path, 'secret.jsonl')];
    expect(names(filesOf(twice)).sort()).toEqual(read.sort());
    expect(filesOf(twice)).toEqual(filesOf(twice.toReversed()));
  });

  it('may be anything when named outright', () => {
    expect(names(filesOf([join(folder.path, 'n.md'), join(folder.path, 'a/sessions.json')]))).toEqual([
      'a/sessions.json',
      'n.md',
    ]);
    expect(filesOf(['-'])).toEqual(['-']);
  });

  it('may be named by a pattern', () => {
    expect(names(filesOf([join(folder.path, '**/*.{traj,json}')]))).toEqual([
      'a/sessions.json',
      'a/t.traj',
      'a/z.json',
    ]);
    mkdirSync(join(folder.path, 'a[1]'));
    expect(filesOf([join(folder.path, 'a[1]')])).toEqual([]);
  });

  it('say which folder could not be looked into', () => {
    const long = join(folder.path, `${'d'.repeat(200)}/`.repeat(10));
    mkdirSync(long, { recursive: true });
    mkdirSync(join(outside.path, `${'e'.repeat(200)}/`.repeat(12)), { recursive: true });
    // Together longer than a path may be: nobody can open it by its name.
    renameSync(join(outside.path, 'e'.repeat(200)), join(long, 'e'.repeat(200)));
    const unread: Unread[] = [];
    try {
      expect(names(findFiles([folder.path], (one) => unread.push(one)))).toEqual(all);
      expect(unread.filter(({ why }) => !why.includes('link'))).toEqual([
        { path: expect.stringContaining('/eee'), why: expect.stringContaining('cannot be read') },
      ]);
      expect(findFiles([join(folder.path, 'b.jsonl')], (one) => unread.push(one))).toHaveLength(1);
      expect(unread).toHaveLength(3);
    } finally {
      renameSync(join(long, 'e'.repeat(200)), join(outside.path, 'e'.repeat(200)));
    }
  });

  it('must exist', () => {
    expect(() => filesOf([join(folder.path, 'nothing.jsonl')])).toThrow('does not exist');
    expect(() => filesOf([join(folder.path, '*.nothing')])).toThrow('no file matches');
  });
});

describe('what has a name that cannot be used', () => {
  const folder = tempFolder();

  it('is named: a file and a folder whose names are not UTF-8', () => {
    folder.write('fine.jsonl', '{}');
    const bytes = (name: number[]) => Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from(name)]);
    writeFileSync(bytes([0xff, ...Buffer.from('.jsonl')]), '{}');
    mkdirSync(bytes([0x64, 0xff]));
    const unread: Unread[] = [];
    expect(findFiles([folder.path], (one) => unread.push(one))).toEqual([join(folder.path, 'fine.jsonl')]);
    expect(unread.map(({ why }) => why)).toEqual(Array(2).fill('its name is not UTF-8: rename it'));
  });

  it('is named: a folder and a file whose paths are longer than the system takes', async () => {
    const far = join(folder.path, 'far');
    mkdirSync(far);
    const script = `const { mkdirSync } = require('node:fs'); process.chdir(process.argv[1]);
      for (let i = 0; i < 21; i++) { mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); }`;
    execFileSync(process.execPath, ['-e', script, far]);
    const unread: Unread[] = [];
    const files = findFiles([far], (one) => unread.push(one));
    const { unreadable } = await readAll(files);
    expect([...unread, ...unreadable].map(({ why }) => why)).toEqual([
      expect.stringContaining('ENAMETOOLONG'),
    ]);
    // Node cannot remove what it cannot name.
    execFileSync('rm', ['-rf', far]);
  });
});
