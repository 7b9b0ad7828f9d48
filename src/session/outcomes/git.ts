/**
 * Runs git, read-only. It runs no program from the configuration of a repository (hooks, monitors, pagers, external
 * diffs, conversions, signature checks), writes nothing, and fetches nothing.
 */
import { spawn } from 'node:child_process';
import { delimiter, isAbsolute } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

/** Why a repository could not be read; shown in the session's row. */
export class GitProblem extends Error {}

export type GitOptions = {
  /** The folder in which git looks for a repository. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970: git is stopped then. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Ignores the configuration of the user and the machine, so that none of its filters runs on files that are written.
   */
  readonly withoutConfig?: boolean;
};

export const TOO_LONG = 'its history is too long to be read in the time that is allowed for it';

type Asked = { readonly input?: string; readonly onBytes: (bytes: Buffer) => void };

const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
const MAX_ERROR_CHARS = 2_000;

/** Overrides every configuration file, and `include` in them. */
const SAFE: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.attributesFile': '/dev/null',
  'core.pager': 'cat',
  'core.quotePath': 'false',
  'core.commitGraph': 'true',
  'color.ui': 'false',
  'diff.external': '',
  'diff.algorithm': 'myers',
  'diff.suppressBlankEmpty': 'false',
  'diff.wsErrorHighlight': 'none',
  'diff.indentHeuristic': 'true',
  'fetch.recurseSubmodules': 'false',
  'gc.auto': '0',
  'log.follow': 'false',
  'log.mailmap': 'false',
  'log.showRoot': 'true',
  'log.showSignature': 'false',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
};
const SAFE_OPTIONS = ['--no-pager', '--no-optional-locks', '--no-replace-objects', '--literal-pathspecs'];

/** What a log must never do, whatever drivers the repository configures for its files. */
export const PLAIN_LOG: readonly string[] = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-show-signature',
  '--no-notes',
  '--no-color',
  '--no-decorate',
  '--no-mailmap',
  '--encoding=UTF-8',
  '--find-renames=50%',
  '-l400',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** The output, up to `most` bytes. */
export async function gitBytes(
  options: GitOptions,
  args: readonly string[],
  { input, most = 64 * 1024 * 1024 }: { readonly input?: string; readonly most?: number } = {},
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  await run(options, args, {
    input,
    onBytes: (part) => {
      bytes += part.length;
      if (bytes <= most) parts.push(part);
    },
  });
  if (bytes > most) throw new GitProblem('its files are too large to be compared');
  return Buffer.concat(parts);
}

export async function gitText(options: GitOptions, args: readonly string[], input?: string): Promise<string> {
  return (await gitBytes(options, args, input === undefined ? {} : { input })).toString('utf8');
}

/** Longer parts are data; their beginning is enough. */
const MAX_PART_CHARS = 64 * 1024;

/** The output, line by line, or by zero bytes. */
export async function gitParts(
  options: GitOptions,
  args: readonly string[],
  { input, separator, onPart }: { input?: string; separator: '\n' | '\0'; onPart: (part: string) => void },
): Promise<void> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const take = (text: string): void => {
    const parts = text.split(separator);
    parts[0] = rest + (parts[0] as string);
    rest = (parts.pop() as string).slice(0, MAX_PART_CHARS);
    for (const part of parts) onPart(part);
  };
  await run(options, args, {
    input,
    onBytes: (bytes) => take(decoder.write(bytes)),
  });
  take(decoder.end());
  if (rest !== '') onPart(rest);
}

function run(options: GitOptions, args: readonly string[], { input, onBytes }: Asked): Promise<void> {
  const { folder, environment, deadline, signal, withoutConfig } = options;
  const safe = Object.entries(SAFE).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn('git', [...safe, ...SAFE_OPTIONS, ...args], {
      cwd: folder,
      env: { ...cleaned(environment), ...(withoutConfig && NO_CONFIG) },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let said = '';
    let bytes = 0;
    let why: Error | undefined;
    const stop = (error: Error): void => {
      why ??= error;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop(new GitProblem(TOO_LONG)), Math.max(1, deadline - performance.now()));
    const onAbort = (): void => stop(signal?.reason instanceof Error ? signal.reason : new Error('stopped'));
    signal?.addEventListener('abort', onAbort, { once: true });
    const end = (error: Error | undefined): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (error === undefined) resolve();
      else reject(error);
    };
    child.on('error', (error) => end(why ?? new GitProblem(startProblem(error))));
    child.stdin.on('error', () => {});
    child.stderr.on('data', (text: Buffer) => {
      if (said.length < MAX_ERROR_CHARS) said += text.toString('utf8');
    });
    child.stdout.on('data', (part: Buffer) => {
      if (why !== undefined) return;
      bytes += part.length;
      if (bytes > MAX_OUTPUT_BYTES) stop(new GitProblem('its history is too large to be read'));
      else tryTake(onBytes, part, stop);
    });
    child.on('close', (code) => {
      end(why ?? (code === 0 ? undefined : new GitProblem(problemOf(said))));
    });
    child.stdin.end(input ?? '');
  });
}

function tryTake(onBytes: (bytes: Buffer) => void, part: Buffer, stop: (error: Error) => void): void {
  try {
    onBytes(part);
  } catch (error) {
    stop(error instanceof Error ? error : new Error(String(error)));
  }
}

const NO_CONFIG = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

/** Removes git's own variables: they could name another repository, or programs to run. */
function cleaned(environment: GitOptions['environment']): NodeJS.ProcessEnv {
  const allowed = Object.entries(environment).filter(([name]) =>
    /^(?:HOME|XDG_CONFIG_HOME|TMPDIR|SYSTEMROOT|USERPROFILE|PATHEXT|TEMP)$/i.test(name),
  );
  return {
    ...Object.fromEntries(allowed),
    PATH: absolutePath(environment.PATH ?? environment.Path),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_PAGER: 'cat',
  };
}

/** git runs in the folder of the repository, where the program itself must not be looked up. */
function absolutePath(path: string | undefined): string {
  return (path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}

function startProblem(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'the git program was not found';
  return code === 'EACCES' ? 'the git program may not be run here' : 'the git program could not be started';
}

function problemOf(said: string): string {
  if (said.includes('dubious ownership')) return 'it has another owner, so git refuses to read it';
  if (/not a git repository|must be run in a work tree/i.test(said)) return 'it is no git repository';
  if (
    /corrupt|bad object|unable to read|invalid sha1|missing (?:blob|tree|commit)|could not parse|fatal: bad/i.test(
      said,
    )
  )
    return 'its history is damaged or not all there';
  return 'git could not read it';
}
