/** The tutorials are followed to the letter, in a copy of what a clone has, and print what they show. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/testing/free-port.ts';
import { bareEnv } from '../bare-env.ts';
import { LAUNCHER } from '../launcher.ts';

type Step = { readonly command: string; readonly shown: readonly string[] };

const HERE_DOCUMENT = /<<'(\w+)'/;
const LEFT_OUT = '…';
/** Only to end what waits for something that does not come. */
const LONGEST_MS = 100_000;

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

/** What the server is reached at in the tutorials: another run of the tests may have it. */
const PORT = '4117';

/** A terminal that is left open: the step is done when it has printed what is shown, and ends with the tutorial. */
async function leaveRunning(step: Step, cwd: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', `exec ${step.command}`], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [printed, said] = ['', ''];
  child.stderr.on('data', (data) => {
    said += data;
  });
  const last = step.shown.findLast((line) => line !== LEFT_OUT) ?? '';
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (data) => {
      printed += data;
      if (printed.includes(last)) done();
    });
    child.on('close', (code) => fail(new Error(`${step.command} ended with ${code}: ${printed}${said}`)));
  });
  expectPrinted(step, printed);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const closed = new Promise((done) => child.on('close', done));
  child.kill('SIGINT');
  expect(await closed).toBe(0);
}

const NAMES = ['sessions', 'decomposition', 'workflow', 'ci', 'live', 'calibration', 'routing'];

it('follows every tutorial that is there', () => {
  const written = globSync('docs/tutorials/*.md').map((path) => basename(path, '.md'));
  expect(written.toSorted()).toEqual(NAMES.toSorted());
});

describe.each(NAMES)('docs/tutorials/%s.md', (name) => {
  const page = readFileSync(`docs/tutorials/${name}.md`, 'utf8');

  it('works as it is written, and prints what it shows', { timeout: 300_000 }, async () => {
    const clone = join(root, name);
    for (const part of ['examples', 'golden']) cpSync(part, join(clone, part), { recursive: true });
    const home = join(root, `${name}-home`);
    mkdirSync(home);
    const bare = bareEnv(home);
    const env = { ...bare, PATH: [join(root, 'bin'), dirname(process.execPath), bare.PATH].join(delimiter) };
    const running: ChildProcess[] = [];
    let cwd = clone;
    try {
      for (const step of stepsOf(page.replaceAll(PORT, String(await freePort())))) {
        if (step.command.startsWith('assay serve')) {
          running.push(await leaveRunning(step, cwd, env));
          continue;
        }
        const { status, stdout, stderr } = spawnSync('sh', ['-c', step.command], {
          cwd,
          encoding: 'utf8',
          env,
          timeout: LONGEST_MS,
        });
        expect(status, `${step.command}\n${stdout}\n${stderr}`).toBe(0);
        expectPrinted(step, stdout);
        const [, folder] = /\bcd (\S+)$/.exec(step.command) ?? [];
        if (folder !== undefined) cwd = join(cwd, folder);
        const [, written] = /--out (\S+)$/.exec(step.command) ?? [];
        if (written !== undefined) expect(existsSync(join(cwd, written)), step.command).toBe(true);
      }
      for (const child of running) await end(child);
    } finally {
      for (const child of running) child.kill('SIGKILL');
    }
  });

  it('uses the product, and shows what it prints', () => {
    const steps = stepsOf(page);
    expect(steps.filter(({ command }) => command.startsWith('assay ')).length).toBeGreaterThan(3);
    expect(steps.flatMap(({ shown }) => shown).filter((line) => line !== LEFT_OUT).length).toBeGreaterThan(8);
  });
});
