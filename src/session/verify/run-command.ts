/**
 * Runs one command in a checkout with a timeout, bounded output, and without the caller's variables. Where `unshare`
 * can create namespaces, it can write only to its own folder, and none of its processes outlives it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { endLeftovers, MARK } from './work-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type CommandSeen = {
  readonly exit: number | 'time' | 'stopped' | 'not started';
  /** The start and the end. */
  readonly output: string;
};

export type CommandOptions = {
  /** Contains `tree` (the working directory), `home` and `tmp`; the command may write there. */
  readonly folder: string;
  readonly timeMs: number;
  readonly environment: Environment;
  /** Additional variables that it receives. */
  readonly allowed: readonly string[];
  readonly isolated: boolean;
  readonly signal: AbortSignal;
};

/** Paths of tools and locale settings, but never an identity. */
const ALLOWED =
  /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|SHELL|JAVA_HOME|GOROOT|NVM_DIR|RUSTUP_HOME|PYENV_ROOT|RBENV_ROOT|ANDROID_HOME|DOTNET_ROOT|VOLTA_HOME|ASDF_DIR|MISE_DATA_DIR|SYSTEMROOT|COMSPEC|PATHEXT|WINDIR)$/i;

const HEAD_CHARS = 4_000;
const TAIL_CHARS = 16_000;

/** Mounts everything but the folder read-only, hides mounts that cannot be, and drops the capabilities to undo it. */
const ISOLATE = `
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
for at in $(cut -d' ' -f5 /proc/self/mountinfo); do
  at=$(printf '%b' "$at")
  [ "$at" = "$1" ] || mount -o remount,bind,ro "$at" 2>/dev/null || mount -t tmpfs -o ro none "$at" 2>/dev/null || [ ! -d "$at" ] || exit 97
done
cd "$1/tree"
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all sh -c "$2"
`;

const NAMESPACES = [
  '--pdeathsig',
  'KILL',
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
];

export function runCommand(command: string, options: CommandOptions): Promise<CommandSeen> {
  const { folder, timeMs, isolated, signal } = options;
  for (const name of ['tree', 'home', 'tmp']) mkdirSync(join(folder, name), { recursive: true });
  const [program, args] = isolated
    ? ['setpriv', [...NAMESPACES, 'sh', '-c', ISOLATE, 'sh', folder, command]]
    : process.platform === 'win32'
      ? ['cmd.exe', ['/d', '/s', '/c', command]]
      : ['sh', ['-c', command]];
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ exit: 'stopped', output: '' });
    const output = new Excerpt();
    let why: 'time' | 'stopped' | undefined;
    const child = spawn(program as string, args as string[], {
      cwd: join(folder, 'tree'),
      env: environmentOf(options),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const stop = (reason: 'time' | 'stopped') => {
      why ??= reason;
      end(child);
    };
    const onAbort = () => stop('stopped');
    const timer = setTimeout(() => stop('time'), timeMs);
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdout?.on('data', (bytes: Buffer) => output.add(bytes));
    child.stderr?.on('data', (bytes: Buffer) => output.add(bytes));
    let isOver = false;
    const over = (exit: CommandSeen['exit']) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      // Remaining processes would write into a folder that is about to be deleted, and keep the output open.
      end(child);
      endLeftovers(folder);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ exit: why ?? exit, output: output.text() });
    };
    child.on('error', () => over('not started'));
    child.on('exit', (code) => setTimeout(() => over(code ?? 128), DRAIN_MS));
    child.on('close', (code) => over(code ?? 128));
  });
}

/** Waits this long for output that is still in the pipe after a command ended. */
const DRAIN_MS = 500;

function end(child: ChildProcess): void {
  try {
    if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended.
  }
}

function environmentOf({ environment, allowed, folder }: CommandOptions): NodeJS.ProcessEnv {
  const names = new Set(allowed);
  const given = Object.entries(environment).filter(([name]) => ALLOWED.test(name) || names.has(name));
  const path = environment.PATH ?? environment.Path ?? '';
  return {
    ...Object.fromEntries(given),
    PATH: path.split(delimiter).filter(isAbsolute).join(delimiter),
    HOME: join(folder, 'home'),
    USERPROFILE: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    TEMP: join(folder, 'tmp'),
    TMP: join(folder, 'tmp'),
    TERM: 'dumb',
    CI: 'true',
    [MARK]: folder,
  };
}

class Excerpt {
  #head = '';
  #tail = '';

  add(bytes: Buffer): void {
    const text = bytes.toString('utf8');
    const room = HEAD_CHARS - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail = (this.#tail + text.slice(Math.max(0, room))).slice(-TAIL_CHARS);
  }

  text(): string {
    return this.#head + this.#tail;
  }
}

/** Tries whether commands can be isolated here. */
export async function canIsolate(
  root: string,
  options: Omit<CommandOptions, 'folder' | 'isolated'>,
): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const folder = join(root, 'probe');
  const outside = join(root, 'outside');
  mkdirSync(folder, { recursive: true });
  const command = `echo in > "${folder}/in" && ! echo out 2>/dev/null > "${outside}"`;
  const { exit } = await runCommand(command, { ...options, folder, timeMs: 10_000, isolated: true });
  return exit === 0 && existsSync(join(folder, 'in')) && !existsSync(outside);
}
