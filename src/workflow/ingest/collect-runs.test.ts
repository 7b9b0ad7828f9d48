import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesBelow } from './collect-runs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-runs-'));
  mkdirSync(join(folder, 'runs/deep'), { recursive: true });
  writeFileSync(join(folder, 'runs/one.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the runs in a folder', () => {
  it.each(['/nowhere/run.json', '../../outside.json', 'two.json'])(
    'are refused beside a link to %s',
    (to) => {
      writeFileSync(join(folder, 'outside.json'), '{}');
      symlinkSync(to, join(folder, 'runs/deep/two.json'));
      expect(() => filesBelow(join(folder, 'runs'))).toThrow('two.json is a link out of the folder');
    },
  );

  it('are read where a link leads to one of them, or is no run', () => {
    symlinkSync('../one.json', join(folder, 'runs/deep/latest.json'));
    symlinkSync('/nowhere', join(folder, 'runs/notes'));
    expect(filesBelow(join(folder, 'runs'))).toEqual([join(folder, 'runs/one.json')]);
  });
});
