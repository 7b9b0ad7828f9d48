/** The agents with hooks that can report the progress and the end of a session, and what to write for each. */
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';

export type HookedAgent = 'claude-code' | 'openclaw';
export const HOOKED_AGENTS: readonly HookedAgent[] = ['claude-code', 'openclaw'];

type Environment = Readonly<Record<string, string | undefined>>;

/** What is to be called, as a program and its words. */
export type HookCalls = { readonly hook: readonly string[]; readonly statusLine: readonly string[] };

/** A file as it is to be; `before` is what is there now. */
export type HookFile = {
  readonly path: string;
  readonly text: (before: string | undefined) => string;
  /** The file without Assay's part, where somebody changed it since. Undefined: nothing is left. */
  readonly without: (now: string) => string | undefined;
};

export type AgentHooks = {
  readonly files: readonly HookFile[];
  /** What the user has to do next. */
  readonly next?: string;
};

export function hooksOf(agent: HookedAgent, home: string, env: Environment, calls: HookCalls): AgentHooks {
  return agent === 'claude-code' ? claudeCodeHooks(home, env, calls) : openclawHooks(home, env, calls);
}

const EVENTS = ['Stop', 'SessionEnd'] as const;
const OURS = / hooks run .*claude-code\b/;
const OUR_LINE = / sessions status-line\b/;
/** Seconds. What the hook starts goes on by itself; the hook is done at once. */
const TIMEOUT = 5;

function claudeCodeHooks(home: string, env: Environment, calls: HookCalls): AgentHooks {
  const [folder = ''] = (env.CLAUDE_CONFIG_DIR ?? '').split(',');
  const path = join(folder.trim() || join(home, '.claude'), 'settings.json');
  const [hookWords, lineWords] = [calls.hook, calls.statusLine].map((words) =>
    words.map(shellWord).join(' '),
  );
  // In the background, with what the agent says: whatever becomes of it, the agent goes on.
  const command = `trap '' HUP; exec 3<&0; { ${hookWords} <&3 >/dev/null 2>&1 & } 2>/dev/null; exit 0`;
  const hook = { hooks: [{ type: 'command', command, timeout: TIMEOUT }] };
  const statusLine = { type: 'command', command: lineWords };
  return {
    files: [
      {
        path,
        text: (before) => {
          const settings = withoutOurs(settingsIn(before, path));
          const hooks = { ...objectIn(settings.hooks) };
          for (const event of EVENTS) hooks[event] = [...listIn(hooks[event]), hook];
          return jsonText({ ...settings, hooks, statusLine: settings.statusLine ?? statusLine });
        },
        without: (now) => {
          if (!OURS.test(now) && !OUR_LINE.test(now)) return now;
          const rest = withoutOurs(settingsIn(now, path));
          return Object.keys(rest).length === 0 ? undefined : jsonText(rest);
        },
      },
    ],
  };
}

type Settings = Record<string, unknown>;

function settingsIn(text: string | undefined, path: string): Settings {
  if (text === undefined || text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Settings;
  } catch (cause) {
    throw unusable(path, cause);
  }
  throw unusable(path);
}

function unusable(path: string, cause?: unknown): AssayError {
  return new AssayError('INPUT_INVALID', `${path} is not what the agent writes: an object in JSON`, {
    cause,
    remedy: 'It was left as it is. Correct it and try again.',
  });
}

function withoutOurs(settings: Settings): Settings {
  const hooks = { ...objectIn(settings.hooks) };
  for (const event of EVENTS) {
    if (hooks[event] === undefined) continue;
    const left = listIn(hooks[event]).filter((one) => !OURS.test(JSON.stringify(one)));
    if (left.length === 0) delete hooks[event];
    else hooks[event] = left;
  }
  const rest = { ...settings };
  if (Object.keys(hooks).length === 0) delete rest.hooks;
  else rest.hooks = hooks;
  if (OUR_LINE.test(JSON.stringify(rest.statusLine ?? ''))) delete rest.statusLine;
  return rest;
}

function objectIn(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const HOOK_PAGE = `---
name: assay
description: "Scores a session with Assay when it has ended"
metadata: { "openclaw": { "events": ["command:new", "command:reset", "command:stop"] } }
---

# Assay

Notes that a session has ended, so that its score is stored and told. It starts a program of its own and waits for nothing.
`;

function openclawHooks(home: string, env: Environment, calls: HookCalls): AgentHooks {
  const state = env.OPENCLAW_STATE_DIR ?? join(env.OPENCLAW_HOME ?? home, '.openclaw');
  const folder = join(state, 'hooks', 'assay');
  const own = (name: string, text: string): HookFile => ({
    path: join(folder, name),
    text: () => text,
    without: () => undefined,
  });
  return {
    files: [own('HOOK.md', HOOK_PAGE), own('handler.js', handlerText(calls))],
    next: 'openclaw hooks enable assay',
  };
}

function handlerText({ hook }: HookCalls): string {
  const [program = '', ...words] = hook;
  return `import { spawn } from 'node:child_process';

// Whatever becomes of it, the gateway goes on.
export default async function handler(event) {
  try {
    const { sessionEntry, previousSessionEntry } = event?.context ?? {};
    const path = (previousSessionEntry ?? sessionEntry)?.sessionFile ?? '';
    const said = JSON.stringify({ hook_event_name: 'SessionEnd', transcript_path: path });
    const child = spawn(${JSON.stringify(program)}, ${JSON.stringify(words)}, {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    child.stdin.end(said);
    child.unref();
  } catch {}
}
`;
}

/** Quotes a word for a POSIX shell. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
