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
  /** What the user has to do next. */
  readonly next?: string | undefined;
};

/** The text before and after, so that the original can be restored if nobody changed the file since. */
type SavedFiles = Readonly<Record<string, { readonly before: string | null; readonly after: string }>>;

export function installHooks(request: HooksRequest): ChangedHooks {
  const hooks = agentHooks(request);
  const saved = savedFiles(request);
  const files = hooks.files.map(({ path, text }) => {
    const now = textIn(path);
    return { path, before: now, after: text(now) };
  });
  const { agent, isTrial = false } = request;
  if (!isTrial) {
    const memory = files.map(({ path, before, after }) => {
      const earlier = saved[path];
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
  const saved = savedFiles(request);
  const files = agentHooks(request).files.flatMap((file) => {
    const before = textIn(file.path);
    return before === undefined ? [] : [{ path: file.path, before, after: rest(file, before, saved) }];
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

/** Restores the original bytes, unless the file changed since: then only Assay's part is removed. */
function rest(file: HookFile, now: string, saved: SavedFiles): string | undefined {
  const written = saved[file.path];
  if (written?.after === now) return written.before ?? undefined;
  return file.without(now);
}

function memoryOf({ memory, agent }: HooksRequest): string {
  return join(memory, `${agent}.json`);
}

function savedFiles(request: HooksRequest): SavedFiles {
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
