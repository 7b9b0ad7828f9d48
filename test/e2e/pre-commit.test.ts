/** The hooks before a commit, with real Git: the one of docs/ci.md, and the words of `.pre-commit-hooks.yaml`. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bareEnv } from '../bare-env.ts';
import { commandFolder } from '../command-folder.ts';
import { addAssay, NO_REGISTRY } from '../installed-assay.ts';

const folder = commandFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const GOLDEN = 'golden/bullwhip-effect.gold.json';

function sh(line: string) {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', line], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...bareEnv(folder.path), ...NO_REGISTRY },
  });
  return { status, said: stdout + stderr };
}

beforeEach(() => {
  cpSync('golden', at('golden'), { recursive: true });
  addAssay(folder.path);
  expect(sh('git init -q . && git config user.email a@b.example && git config user.name A').status).toBe(0);
});

function hookOfPage(): string {
  const [, install = ''] = /```sh\n(printf[\s\S]*?)```/.exec(readFileSync('docs/ci.md', 'utf8')) ?? [];
  return install;
}

function spoil(): void {
  const golden = JSON.parse(readFileSync(at(GOLDEN), 'utf8')) as object;
  writeFileSync(at(GOLDEN), JSON.stringify({ ...golden, expectedConcepts: 'none' }));
}

describe('the hook of docs/ci.md', () => {
  it('lets good golden cases be committed, and no others', () => {
    expect(sh(hookOfPage())).toEqual({ status: 0, said: '' });
    expect(sh('git add golden && git commit -qm "Add golden cases"').status).toBe(0);
    spoil();
    const refused = sh('git add golden && git commit -qm "Spoil one"');
    expect(refused.status).not.toBe(0);
    expect(refused.said).toContain('bullwhip-effect');
    expect(sh('git log --oneline').said.trim().split('\n')).toHaveLength(1);
  });

  it('says what is missing where Assay is not installed, and asks no registry for it', () => {
    rmSync(at('node_modules'), { recursive: true });
    expect(sh(hookOfPage()).status).toBe(0);
    const refused = sh('git add golden && git commit -qm "Add golden cases"');
    expect(refused.status).not.toBe(0);
    expect(refused.said).toContain(`Cannot find module '${at('node_modules/assay/bin/assay.js')}'`);
    expect(refused.said).not.toContain('npm');
  });
});

describe('.pre-commit-hooks.yaml', () => {
  it('names a command that fails on a spoiled golden case, and files that are golden cases', () => {
    const [hook] = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as {
      entry: string;
      files: string;
    }[];
    expect(new RegExp(hook?.files ?? '^$').test(GOLDEN)).toBe(true);
    const check = (...files: string[]) => sh([hook?.entry ?? 'false', ...files].join(' '));
    const other = 'golden/antibiotic-resistance.gold.json';
    expect(check(GOLDEN, other).status).toBe(0);
    spoil();
    const result = check(GOLDEN, other);
    expect([result.status, result.said]).toEqual([1, expect.stringContaining('expectedConcepts is "none"')]);
    // What somebody else spoiled is none of this commit.
    expect(check(other).status).toBe(0);
    expect(check().status).toBe(1);
    mkdirSync(at('more'));
    cpSync(at(other), at('more/antibiotic-resistance.gold.json'));
    expect(check(other, 'more/antibiotic-resistance.gold.json').status).toBe(0);
    cpSync(at(other), at('golden/copy.gold.json'));
    expect(check(other).said).toContain('copy.gold.json');
    expect(check('golden/nobody.gold.json').status).toBe(3);
    expect(check(other, 'golden').status).toBe(3);
  });
});
