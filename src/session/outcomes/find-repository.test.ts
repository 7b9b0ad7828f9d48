import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRepository, NOT_ALLOWED } from './find-repository.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-repository-')));
  mkdirSync(join(root, 'work', '.git'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const NOT_HERE = { reason: 'its folder does not exist here' };

describe('the folder that a session recorded', () => {
  it('leads to its repository', () => {
    const folder = join(root, 'work');
    expect(findRepository({ project: folder }, { places: [] })).toEqual({ folder, isOwn: true });
    expect(findRepository({ project: join(folder, 'gone') }, { places: [] })).toEqual({
      folder,
      isOwn: false,
    });
  });

  it.each([
    ['a character that no path has', '/p/a\u0000b'],
    ['a name that is too long', `/p/${'a'.repeat(300)}/b`],
    ['a path that is too long', '/abcdefgh'.repeat(10_000)],
  ])('is not here with %s', (_, project) => {
    expect(findRepository({ project }, { places: [] })).toEqual(NOT_HERE);
    expect(
      findRepository({ project }, { places: [{ from: '/p', to: join(root, 'nowhere') }] }),
    ).toHaveProperty('reason');
  });
});

describe('the folder that a session was sent with', () => {
  const at = (...names: string[]) => join(root, ...names);
  const REFUSED = { reason: NOT_ALLOWED };
  const find = (project: string | undefined, sender: string | undefined, roots: Record<string, string[]>) =>
    findRepository({ project, sent: sender === undefined ? {} : { project: sender } }, { places: [], roots });

  it('leads to a repository below a folder of its project', () => {
    const folder = at('work');
    const within = [root];
    for (const sender of ['work', undefined])
      expect(find(folder, sender, { work: [root] })).toEqual({ folder, isOwn: true, within });
    expect(find(folder, 'work', { work: [folder] })).toEqual({ folder, isOwn: true, within: [folder] });
  });

  it('leads nowhere without such a folder, whether or not there is anything', () => {
    for (const project of [at('work'), at('gone'), '/', 'work', undefined, `${root}/other/../work`]) {
      expect(find(project, 'work', {})).toEqual(REFUSED);
      expect(find(project, 'work', { other: [root] })).toEqual(REFUSED);
      expect(find(project, 'work', { work: [at('other')] })).toEqual(REFUSED);
    }
  });

  it('does not lead to the repository of another project by a name, a folder above, dots or a link', () => {
    mkdirSync(at('theirs', '.git'), { recursive: true });
    mkdirSync(at('theirs', 'ours'));
    mkdirSync(at('ours'));
    symlinkSync(at('theirs'), at('ours', 'link'));
    const roots = { ours: [at('ours'), at('theirs', 'ours')], theirs: [at('theirs')] };
    for (const project of [
      at('theirs'),
      at('theirs', 'ours'),
      at('ours', 'link'),
      at('ours', 'link', 'ours'),
    ])
      expect(find(project, 'ours', roots)).toEqual(REFUSED);
    // Sent with a token for the longer name, which is another project than the shorter one.
    expect(find(at('theirs', 'x', 'theirs'), 'x/theirs', roots)).toEqual(REFUSED);
  });

  it('tells nothing of what a link in its own repository leads to, there or not', () => {
    symlinkSync('/', at('work', 'link'));
    mkdirSync(at('private', 'plans'), { recursive: true });
    const roots = { work: [at('work')] };
    for (const project of [
      at('work', 'link', root, 'private', 'plans', 'work'),
      at('work', 'link', root, 'private', 'missing', 'work'),
      `${at('work', 'link', root, 'private')}/../private/work`,
    ])
      expect(find(project, 'work', roots)).toEqual(REFUSED);
    // A deleted folder was in the repository, even behind a link that stays inside.
    symlinkSync(at('work'), at('work', 'same'));
    const found = { folder: at('work'), isOwn: false, within: [at('work')] };
    expect(find(at('work', 'same', 'gone', 'work'), 'work', roots)).toEqual(found);
  });

  it('leads to the repository that a person names for it', () => {
    const named = { places: [{ to: at('work') }], roots: {} };
    expect(findRepository({ project: '/elsewhere', sent: {} }, named)).toMatchObject({ folder: at('work') });
  });
});
