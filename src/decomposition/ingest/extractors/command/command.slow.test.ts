import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandOptions, commandExtractor } from '../command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-command-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const task = { id: 'bread', text: 'Yeast releases gas. Ä', trial: 3 };
const never = new AbortController().signal;

/** A real program, run by the same Node as the test. */
function program(source: string, options: Partial<CommandOptions> = {}) {
  const file = join(folder, 'extract.mjs');
  writeFileSync(file, source);
  return commandExtractor({ command: [process.execPath, file], ...options });
}

const READ = "import { readFileSync } from 'node:fs'; const text = readFileSync(0, 'utf8');";

describe('a program', () => {
  it('gets the text on standard input, and the case and the repeat in its environment', async () => {
    const extractor = program(
      `${READ} const { ASSAY_CASE_ID: id, ASSAY_TRIAL: trial } = process.env;
       console.log(JSON.stringify({ concepts: [{ label: text }, { label: id + ' ' + trial }], relationships: [] }));`,
    );
    const output = await extractor.extract(task, never);
    expect(output.concepts.map(({ label }) => label)).toEqual([task.text, 'bread 3']);
    expect(output.latencyMs).toBeGreaterThan(0);
  });

  it('may state its own latency, cost, model and prompt', async () => {
    const own = {
      concepts: [],
      relationships: [],
      latencyMs: 7,
      costUsd: 0.5,
      model: 'm',
      promptVersion: 'p',
    };
    const extractor = program(`console.log(${JSON.stringify(JSON.stringify(own))})`);
    expect(await extractor.extract(task, never)).toEqual(own);
  });

  it('need not read its input, however long that is', async () => {
    const extractor = program(`console.log('{"concepts":[]}')`);
    const long = { ...task, text: 'word '.repeat(1_000_000) };
    expect(await extractor.extract(long, never)).toMatchObject({ concepts: [] });
  });

  it('that fails is an error with its exit code and the end of its complaint', async () => {
    const extractor = program(`console.error('x'.repeat(100000) + ' out of luck'); process.exitCode = 4;`);
    const error = (await extractor.extract(task, never).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ code: 'COMMAND_FAILED' });
    expect(error.message).toMatch(/ended with exit code 4: … x+ out of luck$/);
    expect(error.message.length).toBeLessThan(2300);
  });

  it.each([
    ['nothing', '', /printed nothing/],
    ['no JSON', 'console.log("Sure! Here it is")', /is not JSON/],
    ['another shape', 'console.log(\'{"entities": [{"label": "x"}]}\')', /concepts: /],
  ])('that prints %s is an error that says so', async (_, source, message) => {
    await expect(program(source).extract(task, never)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('that is not there is an error', async () => {
    const extractor = commandExtractor({ command: '/no/such/program --flag' });
    await expect(extractor.extract(task, never)).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
      message: '/no/such/program was not found',
    });
  });

  it('that prints without end is ended', async () => {
    const extractor = program(
      `const write = () => process.stdout.write('x'.repeat(65536), write); write();`,
      {
        maxOutputBytes: 1_000_000,
      },
    );
    await expect(extractor.extract(task, never)).rejects.toMatchObject({
      message: expect.stringMatching(/printed more than 1000000 bytes/),
    });
  });

  it('that is ended by a signal says which', async () => {
    await expect(program(`process.kill(process.pid, 'SIGTERM')`).extract(task, never)).rejects.toMatchObject({
      message: expect.stringMatching(/was ended by SIGTERM/),
    });
  });
});

/** A program that starts a child which would live for an hour, writes both ids, and waits. */
const WITH_CHILD = (place: string) => `
  import { spawn } from 'node:child_process';
  import { writeFileSync, renameSync } from 'node:fs';
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3600000)'], { stdio: 'inherit' });
  process.on('SIGTERM', () => {});
  writeFileSync(${JSON.stringify(`${place}.draft`)}, process.pid + ' ' + child.pid);
  renameSync(${JSON.stringify(`${place}.draft`)}, ${JSON.stringify(place)});
  setTimeout(() => {}, 3600000);`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead child of a dead parent may wait to be collected; it runs no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

describe('a program that does not end', () => {
  it('is ended with its children after its time', async () => {
    const place = join(folder, 'pids');
    const extractor = program(WITH_CHILD(place), { timeoutMs: 3000 });
    await expect(extractor.extract(task, never)).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
      message: expect.stringMatching(/took longer than 3 s/),
    });
    const pids = readFileSync(place, 'utf8').split(' ').map(Number);
    expect(pids).toHaveLength(2);
    await until(() => !pids.some(isAlive));
  });

  it('is ended with its children when the work is stopped', async () => {
    const place = join(folder, 'pids');
    const controller = new AbortController();
    const running = program(WITH_CHILD(place)).extract(task, controller.signal);
    running.catch(() => {});
    await until(() => existsSync(place));
    const pids = readFileSync(place, 'utf8').split(' ').map(Number);
    expect(pids.every(isAlive)).toBe(true);
    controller.abort();
    await expect(running).rejects.toThrow();
    await until(() => !pids.some(isAlive));
  });

  it('does not hold the result back by a child that keeps the pipe', async () => {
    const extractor = program(
      `import { spawn } from 'node:child_process';
       spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3600000)'], { stdio: 'inherit' }).unref();
       console.log('{"concepts":[]}');`,
    );
    expect(await extractor.extract(task, never)).toMatchObject({ concepts: [] });
  });
});
