/** Puts hooks of ours into the settings of an agent, and takes them out again as if they had never been there. */
import { chmodSync, existsSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { replaceFile } from '../../locked-file.ts';
import { makeOwnFolder } from '../../own-folder.ts';
import {
  type AgentHooks,
  type HookCalls,
  type HookedAgent,
  type HookFile,
  hooksOf,
} from './hooked-agents.ts';

export type HooksRequest = {
  readonly agent: HookedAgent;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly calls: HookCalls;
  /** Where it is remembered what was there before. */
  readonly memory: string;
  /** Only say what would be written. */
  readonly isTrial?: boolean;
};

type ChangedFile = {
  readonly path: string;
  readonly before?: string | undefined;
  /** Undefined: the file is gone. */
  readonly after?: string | undefined;
};

export type ChangedHooks = {
  readonly agent: HookedAgent;
  readonly files: readonly ChangedFile[];
  /** What is left for the person to do. */
  readonly next?: string | undefined;
};

/** What was there and what was written, so that the first can be put back where nobody has changed the second. */
type Remembered = Readonly<Record<string, { readonly before: string | null; readonly after: string }>>;

export function installHooks(request: HooksRequest): ChangedHooks {
  const hooks = agentHooks(request);
  const known = recalled(request);
  const files = hooks.files.map(({ path, text }) => {
    const now = textIn(path);
    return { path, before: now, after: text(now) };
  });
  const { agent, isTrial = false } = request;
  if (!isTrial) {
    const memory = files.map(({ path, before, after }) => {
      const earlier = known[path];
      // Installed again: what was there before the first time is what comes back.
      return [
        path,
        { before: earlier?.after === before ? (earlier?.before ?? null) : (before ?? null), after },
      ];
    });
    if (!makeOwnFolder(dirname(memoryOf(request))))
      throw new AssayError('OUTPUT_FAILED', `${dirname(memoryOf(request))} cannot be written to`);
    writeFileSync(memoryOf(request), JSON.stringify(Object.fromEntries(memory)), { mode: 0o600 });
    for (const { path, after } of files) write(path, after);
  }
  return { agent, files: files.filter(isChange), next: hooks.next };
}

export function removeHooks(request: HooksRequest): ChangedHooks {
  const known = recalled(request);
  const files = agentHooks(request).files.flatMap((file) => {
    const before = textIn(file.path);
    return before === undefined ? [] : [{ path: file.path, before, after: rest(file, before, known) }];
  });
  if (request.isTrial !== true) {
    for (const { path, after } of files) {
      if (after === undefined) remove(path);
      else write(path, after);
    }
    rmSync(memoryOf(request), { force: true });
  }
  return { agent: request.agent, files: files.filter(isChange) };
}

function agentHooks({ agent, home, environment, calls }: HooksRequest): AgentHooks {
  return hooksOf(agent, home, environment, calls);
}

function isChange({ before, after }: ChangedFile): boolean {
  return before !== after;
}

/** To the byte what was there, unless somebody has changed the file since: then only what is ours goes. */
function rest(file: HookFile, now: string, known: Remembered): string | undefined {
  const written = known[file.path];
  if (written?.after === now) return written.before ?? undefined;
  return file.without(now);
}

function memoryOf({ memory, agent }: HooksRequest): string {
  return join(memory, `${agent}.json`);
}

function recalled(request: HooksRequest): Remembered {
  try {
    return JSON.parse(readFileSync(memoryOf(request), 'utf8'));
  } catch {
    return {};
  }
}

function textIn(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function write(path: string, text: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  replaceFile(path, text);
  if (mode !== undefined) chmodSync(path, mode & 0o777);
}

/** The folder goes with its last file where it was made for it. */
function remove(path: string): void {
  rmSync(path, { force: true });
  try {
    if (dirname(path).endsWith(join('hooks', 'assay'))) rmdirSync(dirname(path));
  } catch {
    // Something else is in it.
  }
}
