/** The tutorials are followed to the letter, in a copy of what a clone has, and print what they show. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { LAUNCHER } from '../launcher.ts';

type Step = { readonly command: string; readonly shown: readonly string[] };

const HERE_DOCUMENT = /<<'(\w+)'/;
const LEFT_OUT = '…';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-tutorials-'));
  mkdirSync(join(root, 'bin'));
  const start = `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`;
  writeFileSync(join(root, 'bin/assay'), start, { mode: 0o755 });
});
afterAll(() => rmSync(root, { recursive: true }));

/** Each `$` line begins a step; what follows is its here-document, then what it prints. */
function stepsOf(page: string): Step[] {
  const steps: { command: string; shown: string[] }[] = [];
  for (const [, block = ''] of page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)) {
    let end: string | undefined;
    for (const line of block.trimEnd().split('\n')) {
      const step = steps.at(-1);
      if (line.startsWith('$ ')) {
        steps.push({ command: line.slice(2), shown: [] });
        [, end] = HERE_DOCUMENT.exec(line) ?? [];
      } else if (step !== undefined && end !== undefined) {
        step.command += `\n${line}`;
        if (line === end) end = undefined;
      } else if (step !== undefined) step.shown.push(line);
      else expect.fail(`a block that does not begin with a command: ${line}`);
    }
  }
  return steps;
}

/** Shown lines are printed whole and in this order; others may stand between them. */
function expectPrinted(step: Step, printed: string): void {
  const lines = printed.split('\n');
  let at = 0;
  for (const shown of step.shown.filter((line) => line !== LEFT_OUT && line.trim() !== '')) {
    const found = lines.indexOf(shown, at);
    expect(found, `${step.command}\ndoes not print:\n${shown}\nbut:\n${printed}`).toBeGreaterThanOrEqual(0);
    at = found + 1;
  }
}

describe.each(['sessions', 'decomposition', 'workflow'])('docs/tutorials/%s.md', (name) => {
  const steps = stepsOf(readFileSync(`docs/tutorials/${name}.md`, 'utf8'));

  it('works as it is written, and prints what it shows', { timeout: 300_000 }, () => {
    const clone = join(root, name);
    for (const part of ['examples', 'golden']) cpSync(part, join(clone, part), { recursive: true });
    const home = join(root, `${name}-home`);
    mkdirSync(home);
    const env = bareEnv(home);
    const PATH = [join(root, 'bin'), dirname(process.execPath), env.PATH].join(delimiter);
    let cwd = clone;
    for (const step of steps) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', step.command], {
        cwd,
        encoding: 'utf8',
        env: { ...env, PATH },
      });
      expect(status, `${step.command}\n${stdout}\n${stderr}`).toBe(0);
      expectPrinted(step, stdout);
      const [, folder] = /\bcd (\S+)$/.exec(step.command) ?? [];
      if (folder !== undefined) cwd = join(cwd, folder);
      const [, written] = /--out (\S+)$/.exec(step.command) ?? [];
      if (written !== undefined) expect(existsSync(join(cwd, written)), step.command).toBe(true);
    }
  });

  it('uses its instrument, and shows what it prints', () => {
    const commands = steps.filter(({ command }) => command.startsWith(`assay ${name} `));
    expect(commands.length).toBeGreaterThan(4);
    expect(steps.flatMap(({ shown }) => shown).filter((line) => line !== LEFT_OUT).length).toBeGreaterThan(8);
  });
});
