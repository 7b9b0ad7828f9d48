import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRepository } from './find-repository.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-repository-'));
  mkdirSync(join(root, 'work', '.git'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const NOT_HERE = { reason: 'the folder it worked in is not here' };

describe('the folder that a session recorded', () => {
  it('leads to its repository', () => {
    const folder = join(root, 'work');
    expect(findRepository(folder, [])).toEqual({ folder, isOwn: true });
    expect(findRepository(join(folder, 'gone'), [])).toEqual({ folder, isOwn: false });
  });

  it.each([
    ['a character that no path has', '/p/a\u0000b'],
    ['a name that is too long', `/p/${'a'.repeat(300)}/b`],
    ['a path that is too long', '/abcdefgh'.repeat(10_000)],
  ])('is not here with %s', (_, project) => {
    expect(findRepository(project, [])).toEqual(NOT_HERE);
    expect(findRepository(project, [{ from: '/p', to: join(root, 'nowhere') }])).toHaveProperty('reason');
  });
});
