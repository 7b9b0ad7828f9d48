import { type ChildProcess, spawn } from 'node:child_process';
import { AssayError } from '../../../../errors.ts';

export type ProgramOptions = {
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
};

/** The end of what a program complains about says why it stopped. */
const MAX_COMPLAINT_BYTES = 2000;

/** Children that keep the pipes open after the program itself ended get this long before they are ended too. */
const LINGER_MS = 2000;

/**
 * Runs a program without a shell, gives it `input` and returns what it printed. It runs in a process group of its own,
 * so that an end by time, size or signal ends its children too.
 */
export async function runProgram(argv: readonly string[], options: ProgramOptions): Promise<string> {
  const [program = '', ...args] = argv;
  const { signal, timeoutMs, maxOutputBytes } = options;
  signal.throwIfAborted();
  const child = spawn(program, args, {
    env: { ...options.env },
    cwd: options.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const end = (why: string) => {
    stopped ??= why;
    killGroup(child);
  };
  let stopped: string | undefined;
  let linger: NodeJS.Timeout | undefined;
  const output = collect(child.stdout, maxOutputBytes, () =>
    end(`printed more than ${maxOutputBytes} bytes`),
  );
  const complaint = collectEnd(child.stderr);
  const timer = setTimeout(() => end(`took longer than ${timeoutMs / 1000} s`), timeoutMs);
  const abort = () => end('was stopped');
  signal.addEventListener('abort', abort, { once: true });
  // A program need not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input);
  child.once('exit', () => {
    linger = setTimeout(() => killGroup(child), LINGER_MS);
  });
  try {
    const { code, killedBy } = await closed(child);
    signal.throwIfAborted();
    if (stopped !== undefined) throw failed(program, stopped, complaint());
    if (killedBy !== null) throw failed(program, `was ended by ${killedBy}`, complaint());
    if (code !== 0) throw failed(program, `ended with exit code ${code}`, complaint());
    return output();
  } finally {
    clearTimeout(timer);
    clearTimeout(linger);
    signal.removeEventListener('abort', abort);
  }
}

function closed(child: ChildProcess): Promise<{ code: number | null; killedBy: NodeJS.Signals | null }> {
  return new Promise((done, fail) => {
    child.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'ENOENT' ? 'was not found' : `could not be started: ${cause.message}`;
      fail(new AssayError('COMMAND_FAILED', `${child.spawnfile} ${why}`, { cause }));
    });
    child.once('close', (code, killedBy) => done({ code, killedBy }));
  });
}

function failed(program: string, what: string, complaint: string): AssayError {
  return new AssayError('COMMAND_FAILED', `${program} ${what}${complaint === '' ? '' : `: ${complaint}`}`);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
  // A child that left the group must not hold us by its end of a pipe.
  if (child.exitCode !== null || child.signalCode !== null) release(child);
  else child.once('exit', () => release(child));
}

function release(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function collect(stream: NodeJS.ReadableStream, max: number, onTooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= max) chunks.push(chunk);
    else onTooMuch();
  });
  return () =>
    Buffer.concat(chunks)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
}

function collectEnd(stream: NodeJS.ReadableStream): () => string {
  let end = Buffer.alloc(0);
  let cut = false;
  stream.on('data', (chunk: Buffer) => {
    const all = Buffer.concat([end, chunk]);
    cut ||= all.length > MAX_COMPLAINT_BYTES;
    end = all.subarray(-MAX_COMPLAINT_BYTES);
  });
  return () => `${cut ? '… ' : ''}${end.toString('utf8').trim()}`;
}
