import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { performance } from 'node:perf_hooks';
import { AssayError } from '../../../errors.ts';
import { mask, maskLine, secretsIn } from '../../../secrets.ts';
import type { Extractor } from '../extractor.ts';
import { type ExtractionOutput, parseOutput } from '../output.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

export type CommandOptions = {
  /** A line that is split into words without a shell, or the words. */
  readonly command: string | readonly string[];
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** The prompt that it is to use. */
  readonly prompt?: { readonly name: string; readonly hash: string; readonly files: readonly string[] };
};

/**
 * Any program that reads the text on standard input and prints the output JSON. It finds the case in ASSAY_CASE_ID, the
 * number of the repeat in ASSAY_TRIAL, and the prompt to use in ASSAY_PROMPT_FILE (of several steps one path after the
 * other, as in PATH) and ASSAY_PROMPT_VERSION.
 */
export function commandExtractor(options: CommandOptions): Extractor {
  const argv = typeof options.command === 'string' ? splitCommand(options.command) : options.command;
  const [program] = argv;
  if (program === undefined || program === '') throw new AssayError('USAGE', 'the command is empty');
  // The name is kept in histories and reports, and a program may repeat what it was given.
  const secrets = secretsIn(argv, options.env ?? process.env);
  return {
    name: `command ${maskLine(argv.join(' '), secrets)}`,
    extract: async (task, signal) => {
      const startedAt = performance.now();
      const printed = await runProgram(argv, {
        input: task.text,
        env: {
          ...(options.env ?? process.env),
          // The environment cannot hold it.
          ASSAY_CASE_ID: task.id.replaceAll('\0', ''),
          ASSAY_TRIAL: String(task.trial),
          ...promptEnv(options),
        },
        ...(options.cwd !== undefined && { cwd: options.cwd }),
        timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        maxOutputBytes: options.maxOutputBytes ?? MAX_OUTPUT_BYTES,
        signal,
      }).catch((thrown: unknown) => {
        throw thrown instanceof AssayError ? withoutSecrets(thrown, secrets) : thrown;
      });
      const latencyMs = Math.round(performance.now() - startedAt);
      const output = parseOutput(parsePrinted(mask(printed, secrets), program), `output of ${program}`);
      return { ...stamped(output, options), latencyMs: output.latencyMs ?? latencyMs };
    },
  };
}

/** A program that measures no prompt must not find that of somebody else. */
function promptEnv({ prompt }: CommandOptions): Readonly<Record<string, string | undefined>> {
  return {
    ASSAY_PROMPT_FILE: prompt?.files.join(delimiter),
    ASSAY_PROMPT_VERSION: prompt?.name,
  };
}

/** A program that says that it used another prompt than it was given did not measure this one. */
function stamped(output: ExtractionOutput, { prompt }: CommandOptions): ExtractionOutput {
  if (prompt === undefined) return output;
  const { promptVersion = prompt.name, promptSha256 = prompt.hash } = output;
  if (promptSha256 !== prompt.hash || (output.promptSha256 === undefined && promptVersion !== prompt.name))
    throw new AssayError(
      'COMMAND_FAILED',
      `the program was given ${prompt.name}, and says that it used ${promptVersion}${promptSha256 === prompt.hash ? '' : ' with other words'}`,
    );
  return { ...output, promptVersion, promptSha256 };
}

function withoutSecrets({ code, message, remedy }: AssayError, secrets: readonly string[]): AssayError {
  return new AssayError(code, maskLine(message, secrets), { remedy });
}

function parsePrinted(printed: string, program: string): unknown {
  if (printed.trim() === '') throw new AssayError('INPUT_INVALID', `${program} printed nothing`);
  try {
    return JSON.parse(printed);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('INPUT_INVALID', `output of ${program} is not JSON: ${why}`, { cause });
  }
}

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
async function runProgram(argv: readonly string[], options: ProgramOptions): Promise<string> {
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

/**
 * A command line as its words, without a shell: quotes group, a backslash keeps the next character (inside single
 * quotes nothing is special), and variables, globs, pipes and redirections are plain text.
 */
export function splitCommand(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + line.charAt(at);
    } else if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== undefined) throw new AssayError('USAGE', `the command has an open ${quote}`);
  if (word !== undefined) words.push(word);
  if (words[0] === undefined || words[0] === '') throw new AssayError('USAGE', 'the command is empty');
  return words;
}
