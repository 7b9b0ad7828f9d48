import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONFIG_FILES, DATA_FILES } from '../config-files.ts';
import { hasConfig } from './has-config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-config-'));
  mkdirSync(join(folder, 'a/b'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const here = (values = {}, dataOnly?: true) =>
  hasConfig(
    { values },
    { cwd: join(folder, 'a/b'), env: { HOME: join(folder, 'home') }, ...(dataOnly && { dataOnly }) },
  );

describe('a configuration', () => {
  it.each(CONFIG_FILES)('is there when a folder above holds %s', (name) => {
    expect(here()).toBe(false);
    writeFileSync(join(folder, name), '{}');
    expect(here()).toBe(true);
    expect(here({}, true)).toBe((DATA_FILES as readonly string[]).includes(name));
  });

  it('is there when it is named, or a link that leads nowhere', () => {
    expect(here({ config: 'x.json' })).toBe(true);
    symlinkSync('/no/such/file', join(folder, 'a', 'assay.config.json'));
    expect(here()).toBe(true);
  });
});
