/** Completion as the shells themselves do it; a shell that is not on the machine is skipped and said so. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { assayIn } from '../command-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

const assay = (...words: string[]) => assayIn(folder, words);

function isThere(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0'], { env: { PATH: process.env.PATH, HOME: folder } }).status === 0;
}

async function script(shell: string): Promise<string> {
  const path = join(folder, `assay.${shell}`);
  writeFileSync(path, (await assay('completion', shell)).stdout);
  return path;
}

const LINES = [
  ['assay sess', ['sessions']],
  ['assay sessions base', ['baselines']],
  ['assay sessions baselines ', ['show', 'fit']],
  ['assay sessions explain --ev', ['--every-run']],
  ['assay workflow score --format js', ['json']],
] as const;

describe.runIf(isThere('bash'))('bash', () => {
  test.each(LINES)('%s', async (line, expected) => {
    const words = line.split(' ');
    const asked = `source "$1"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _assay; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', asked, 'bash', await script('bash')], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    for (const word of expected) expect(stdout.split('\n')).toContain(word);
    expect(stdout.split('\n').filter((word) => word !== '' && !word.startsWith(words.at(-1) ?? ''))).toEqual(
      [],
    );
  });
});

describe.runIf(isThere('fish'))('fish', () => {
  test.each(LINES)('%s', async (line, expected) => {
    const asked = `source $argv[1]; complete -C '${line}'`;
    const { stdout } = spawnSync('fish', ['--no-config', '-c', asked, await script('fish')], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder },
    });
    const words = stdout.split('\n').map((row) => row.split('\t')[0]);
    for (const word of expected) expect(words).toContain(word);
  });
});

describe.runIf(isThere('zsh'))('zsh', () => {
  test.each(LINES)('%s', async (line, expected) => {
    const words = line.split(' ');
    // Outside of a line editor there is no completion: what it would be given is printed instead.
    const asked = `compdef() { }; _files() { }; compadd() { shift; print -l -- "$@"; }; _describe() { print -l -- "\${(@P)3%%:*}"; }; source "$1"; words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _assay`;
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', asked, 'zsh', await script('zsh')], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    for (const word of expected) expect(stdout.split('\n')).toContain(word);
  });
});

test('another shell is refused with those that there are', async () => {
  const { status, stderr } = await assay('completion', 'tcsh');
  expect(status).toBe(3);
  expect(stderr).toMatch(/does not know "tcsh": bash, zsh, fish \[USAGE\]/);
});
