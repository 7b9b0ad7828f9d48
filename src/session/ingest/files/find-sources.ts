/** Where the known agents keep their sessions: a plain list, so that everybody can see what is looked at (R60). */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder } from './find-files.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Source = {
  readonly agent: string;
  /** The folder that is looked through. */
  readonly place: string;
  readonly exists: boolean;
  readonly files: readonly string[];
};

type Place = { readonly agent: string; readonly place: string; readonly only?: RegExp };

/** An agent's own variable replaces its usual places, as it does for the agent. */
export function placesOf(home: string, env: Environment): Place[] {
  return [
    ...claudeCode(home, env),
    ...codex(home, env),
    // Beside the chats there are logs and checkpoints.
    {
      agent: 'gemini',
      place: join(given(env, 'GEMINI_CLI_HOME') ?? home, '.gemini', 'tmp'),
      only: /[\\/]chats[\\/]/,
    },
    ...openclaw(home, env),
    pi(home, env),
    {
      agent: 'copilot (OpenTelemetry)',
      place: join(given(env, 'COPILOT_HOME') ?? join(home, '.copilot'), 'otel'),
    },
  ];
}

export function findSources(home: string, env: Environment): Source[] {
  return placesOf(home, env).map(({ agent, place, only }) => {
    const files = filesUnder(place);
    return {
      agent,
      place,
      exists: isFolder(place),
      files: only ? files.filter((path) => only.test(path)) : files,
    };
  });
}

/** Several folders may be given, with commas between them. */
function claudeCode(home: string, env: Environment): Place[] {
  const named = given(env, 'CLAUDE_CONFIG_DIR')
    ?.split(',')
    .map((one) => one.trim());
  const config = given(env, 'XDG_CONFIG_HOME') ?? join(home, '.config');
  const folders = named ?? [join(config, 'claude'), join(home, '.claude')];
  return folders
    .filter((one) => one !== '')
    .map((one) => ({ agent: 'claude-code', place: join(one, 'projects') }));
}

function codex(home: string, env: Environment): Place[] {
  const folder = given(env, 'CODEX_HOME') ?? join(home, '.codex');
  return ['sessions', 'archived_sessions'].map((one) => ({ agent: 'codex', place: join(folder, one) }));
}

/** Profiles have folders of their own; earlier names of the product left theirs behind. */
function openclaw(home: string, env: Environment): Place[] {
  const state = given(env, 'OPENCLAW_STATE_DIR') ?? given(env, 'CLAWDBOT_STATE_DIR');
  const base = given(env, 'OPENCLAW_HOME') ?? home;
  const profiles = namesIn(base).filter((name) => /^\.openclaw-[\w-]+$/.test(name));
  const usual = ['.openclaw', ...profiles, '.clawdbot', '.moltbot', '.moldbot'].map((name) =>
    join(base, name),
  );
  const folders = state === undefined ? usual : [state];
  return folders.map((folder) => ({ agent: 'openclaw', place: join(folder, 'agents') }));
}

function pi(home: string, env: Environment): Place {
  const sessions = given(env, 'PI_CODING_AGENT_SESSION_DIR');
  const agent = given(env, 'PI_CODING_AGENT_DIR') ?? join(home, '.pi', 'agent');
  return { agent: 'pi', place: sessions ?? join(agent, 'sessions') };
}

function given(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
