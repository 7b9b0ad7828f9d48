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
  /** A command line, split into words without a shell, or a list of words. */
  readonly command: string | readonly string[];
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** The prompt for the program. */
  readonly prompt?: { readonly name: string; readonly hash: string; readonly files: readonly string[] };
};

/**
 * Runs any program that reads the text on standard input and prints the output JSON. Its environment has the case in
 * ASSAY_CASE_ID, the repeat in ASSAY_TRIAL, the prompt in ASSAY_PROMPT_FILE and its version in ASSAY_PROMPT_VERSION.
 * Several prompt steps are a list of paths, as in PATH.
 */
export function commandExtractor(options: CommandOptions): Extractor {
  const argv = typeof options.command === 'string' ? splitCommand(options.command) : options.command;
  const [program] = argv;
  if (program === undefined || program === '') throw new AssayError('USAGE', 'the command is empty');
  // The name is stored in histories and reports, and programs may echo their input, so secrets are removed.
  const secrets = secretsIn(argv, options.env ?? process.env);
  return {
    name: `command ${maskLine(argv.join(' '), secrets)}`,
    extract: async (task, signal) => {
      const startedAt = performance.now();
      const printed = await runProgram(argv, {
        input: task.text,
        env: {
          ...(options.env ?? process.env),
          // An environment variable cannot contain it.
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

/** A program without a prompt must not inherit one from the environment. */
function promptEnv({ prompt }: CommandOptions): Readonly<Record<string, string | undefined>> {
  return {
    ASSAY_PROMPT_FILE: prompt?.files.join(delimiter),
    ASSAY_PROMPT_VERSION: prompt?.name,
  };
}

/** A program that reports another prompt than the given one did not measure it. */
function stamped(output: ExtractionOutput, { prompt }: CommandOptions): ExtractionOutput {
  if (prompt === undefined) return output;
  const { promptVersion = prompt.name, promptSha256 = prompt.hash } = output;
  if (promptSha256 !== prompt.hash || (output.promptSha256 === undefined && promptVersion !== prompt.name))
    throw new AssayError(
      'COMMAND_FAILED',
      `the program was given ${prompt.name}, but reports ${promptVersion}${promptSha256 === prompt.hash ? '' : ' with other words'}`,
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

/** The end of the error output explains why the program stopped. */
const MAX_COMPLAINT_BYTES = 2000;

/** How long children that hold the pipes open may outlive the program before Assay kills them. */
const LINGER_MS = 2000;

/**
 * Runs a program without a shell, passes `input` and returns its output. It runs in its own process group, so that a
 * timeout, size limit or signal also ends its children.
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
  // A program may ignore its input.
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
    // The process has already exited.
  }
  // A child outside the group must not block Assay by holding a pipe open.
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
 * Splits a command line into words without a shell. Quotes group, and a backslash escapes the next character except
 * inside single quotes. Variables, globs, pipes and redirections are plain text.
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
