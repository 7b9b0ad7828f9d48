/** Runs a command in this process, as `bin/assay.js` would in one of its own: hundreds of times faster than to start one. */
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { main } from '../cli/main.ts';

/** `status`, as of a process that ended. */
export type CommandResult = { readonly status: number; readonly stdout: string; readonly stderr: string };

export type CommandHost = {
  readonly cwd?: string;
  /** All of the environment: nothing of this process is added. */
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string | Buffer;
};

const LAUNCHER = fileURLToPath(new URL('../../bin/assay.js', import.meta.url));

let last: Promise<unknown> = Promise.resolve();

/** One at a time: folder, environment and standard input belong to the process. */
export function runCommand(argv: readonly string[], host: CommandHost = {}): Promise<CommandResult> {
  const run = last.then(() => runAlone(argv, host));
  last = run.catch(() => {});
  return run;
}

async function runAlone(
  argv: readonly string[],
  { cwd = process.cwd(), env = process.env, stdin = '' }: CommandHost,
): Promise<CommandResult> {
  const before = { cwd: process.cwd(), env: { ...process.env }, stdin: process.stdin, argv: process.argv };
  const [stdout, stderr] = [collecting(), collecting()];
  const host = {
    stdout,
    stderr,
    env: process.env,
    cwd: () => process.cwd(),
    exit: process.exit,
    exitCode: 0,
  };
  replaceEnvironment(env);
  process.argv = [process.execPath, LAUNCHER, ...argv];
  process.chdir(cwd);
  replaceInput(Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)]));
  try {
    await main(argv, host as unknown as NodeJS.Process);
  } finally {
    process.chdir(before.cwd);
    process.argv = before.argv;
    replaceEnvironment(before.env);
    replaceInput(before.stdin);
  }
  return { status: host.exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  const wanted = { ...env };
  for (const name of Object.keys(process.env)) if (wanted[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value;
}

function replaceInput(stdin: Readable): void {
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => stdin });
}

function collecting() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString('utf8') });
}
