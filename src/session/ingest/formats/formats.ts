/**
 * Every format there is: where its files are, what they look like and what they can show. Files are shown to the formats in
 * this order, and places are searched in this order. The module that reads a format is loaded when a file looks like it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { applicationData, variable } from '../files/environment.ts';
import { readJson } from '../files/read-json.ts';
import { asObject, asObjects, asText } from '../json/json-fields.ts';
import type { Environment, Format, Place } from './format.ts';
import { isArchiveName, isCopyName, isPutAsideName, isSidecarName } from './openclaw/names.ts';

/** The folder that a variable names, else a folder of the user. */
function folderOf(env: Environment, name: string, ...usual: readonly [string, ...string[]]): string {
  return variable(env, name) ?? join(...usual);
}

function dataHome(home: string, env: Environment): string {
  return folderOf(env, 'XDG_DATA_HOME', home, '.local', 'share');
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((one) => (one.isDirectory() ? one.name : [])).sort();
  } catch {
    return [];
  }
}

/** Files of this name. */
function filesNamed(name: string): RegExp {
  return new RegExp(`[\\\\/]${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

/** SQLite writes new rows here first. */
const writeAheadLog = async (path: string) => [`${path}-wal`];

/** Several folders may be given, separated by commas. */
function claudeCodePlaces(home: string, env: Environment): Place[] {
  const named = variable(env, 'CLAUDE_CONFIG_DIR')
    ?.split(',')
    .map((one) => one.trim());
  const config = variable(env, 'XDG_CONFIG_HOME') ?? join(home, '.config');
  const folders = named ?? [join(config, 'claude'), join(home, '.claude')];
  return folders.filter((one) => one !== '').map((one) => ({ place: join(one, 'projects') }));
}

function clinePlaces(home: string, env: Environment): Place[] {
  const history = { holds: 'api_conversation_history.json', only: /[\\/]api_conversation_history\.json$/ };
  const data = folderOf(env, 'CLINE_DATA_DIR', folderOf(env, 'CLINE_DIR', home, '.cline'), 'data');
  const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
  // Editors on remote machines have the storage of extensions there.
  const storages = [
    ...editors.map((editor) => join(applicationData(home, env), editor)),
    ...['.vscode-server', '.cursor-server'].map((name) => join(home, name, 'data')),
  ];
  const extensions = { 'saoudrizwan.claude-dev': 'cline', 'rooveterinaryinc.roo-cline': 'roo-code' };
  const tasks = storages.flatMap((storage) =>
    Object.entries(extensions).map(([extension, agent]) => ({
      place: join(storage, 'User', 'globalStorage', extension, 'tasks'),
      ...history,
      agent,
    })),
  );
  return [
    { place: folderOf(env, 'CLINE_SESSION_DATA_DIR', data, 'sessions'), only: /\.messages\.json$/ },
    { place: join(data, 'tasks'), ...history },
    ...tasks,
  ];
}

export const FORMATS: readonly Format[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    hint: /"(?:parentUuid|leafUuid|sessionId)":|"type": ?"(?:file-history-snapshot|queue-operation)"/,
    oneTells: true,
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: '1.0, 2.0, 2.1 (to 2.1.220)',
    unmeasured: ["The cost, in today's versions."],
    places: claudeCodePlaces,
    adapter: async () => (await import('./claude-code/adapter.ts')).claudeCodeAdapter,
  },
  {
    name: 'codex',
    title: 'Codex CLI',
    hint: /"(?:session_meta|turn_context|response_item|event_msg|world_state|record_type|instructions)"/,
    shows: ['tokens', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: '0.50 to 0.146, and rollouts without types before',
    places: (home, env) => {
      const folder = variable(env, 'CODEX_HOME') ?? join(home, '.codex');
      return ['sessions', 'archived_sessions'].map((one) => ({ place: join(folder, one) }));
    },
    adapter: async () => (await import('./codex/adapter.ts')).codexAdapter,
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    hint: /"(?:projectHash|\$rewindTo|\$set|history)":|"type": ?"gemini"/,
    shows: ['tokens', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: 'documents of 2025, lines since 0.40',
    // Beside the chats there are logs and checkpoints.
    places: (home, env) => [
      { place: join(folderOf(env, 'GEMINI_CLI_HOME', home), '.gemini', 'tmp'), only: /[\\/]chats[\\/]/ },
    ],
    adapter: async () => (await import('./gemini.ts')).geminiAdapter,
  },
  {
    name: 'openclaw',
    title: 'OpenClaw',
    hint: /"(?:parentId|stopReason|toolCallId)":|"type": ?"session"/,
    packing: 'sqlite',
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: 'entries of version 3, stores in SQLite',
    elsewhere: '`~/.openclaw-<profile>/agents`',
    // Profiles have folders of their own; earlier names of the product left theirs behind.
    places: (home, env) => {
      const state = variable(env, 'OPENCLAW_STATE_DIR') ?? variable(env, 'CLAWDBOT_STATE_DIR');
      const base = variable(env, 'OPENCLAW_HOME') ?? home;
      const profiles = foldersIn(base).filter((name) => /^\.openclaw-[\w-]+$/.test(name));
      const names = ['.openclaw', ...profiles, '.clawdbot', '.moltbot', '.moldbot'];
      const folders = state === undefined ? names.map((name) => join(base, name)) : [state];
      return folders.map((folder) => ({ place: join(folder, 'agents') }));
    },
    ignores: isSidecarName,
    includes: isPutAsideName,
    companions: async (path) => [
      `${path}-wal`,
      ...(await import('./openclaw/sidecar.ts')).sidecarPaths(path),
    ],
    isCopy: (path) => isCopyName(path) || isArchiveName(path),
    adapter: async () => (await import('./openclaw/adapter.ts')).openclawAdapter,
  },
  {
    name: 'pi',
    title: 'pi coding agent',
    hint: /"(?:parentId|stopReason|toolCallId)":|"type": ?"session"/,
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'ends', 'model'],
    versions: 'entries of version 1 to 3',
    places: (home, env) => {
      const agent = folderOf(env, 'PI_CODING_AGENT_DIR', home, '.pi', 'agent');
      return [{ place: folderOf(env, 'PI_CODING_AGENT_SESSION_DIR', agent, 'sessions') }];
    },
    adapter: async () => (await import('./pi.ts')).piAdapter,
  },
  // Established from its source. Tables of its second engine (`session_message`) were emptied by a migration and are not read.
  {
    name: 'opencode',
    title: 'OpenCode',
    hint: /"(?:projectID|directory|info)":|"id": ?"ses_/,
    packing: 'sqlite',
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: 'JSON files of 0.1 and 1.3, the database of 1.18 and what `export` writes',
    places: (home, env) => {
      const data = join(dataHome(home, env), 'opencode');
      const named = variable(env, 'OPENCODE_DB');
      const own = named === undefined || named === ':memory:' ? undefined : resolve(data, named);
      return [
        own === undefined
          ? { place: data, only: /[\\/]opencode[^\\/]*\.db$/, flat: true }
          : { place: dirname(own), only: filesNamed(basename(own)), flat: true },
        { place: join(data, 'storage', 'session'), only: /[\\/]session[\\/][^\\/]+[\\/][^\\/]+\.json$/ },
        { place: join(data, 'project'), only: /[\\/]storage[\\/]session[\\/]info[\\/][^\\/]+\.json$/ },
      ];
    },
    // Messages, their parts and notes about sessions are read with their session.
    ignores: (path) =>
      /^(?=.*\.json$).*[\\/]storage[\\/](?:session[\\/])?(?:message|part|session_diff|session_share|share|todo|project|permission)[\\/]/s.test(
        path,
      ),
    companions: async (path) => [
      `${path}-wal`,
      ...(await import('./opencode/stored-files.ts')).companionFiles(path),
    ],
    // A newer form of the store continues these.
    isCopy: (path) =>
      /[\\/]storage[\\/]session[\\/](?:info[\\/][^\\/]+|[^\\/]+[\\/]ses[^\\/]*)\.json$/.test(path),
    adapter: async () => (await import('./opencode/adapter.ts')).opencodeAdapter,
  },
  // Established from its source (`packages/core/src/services/chatRecordingService.ts`) and from fixtures.
  {
    name: 'qwen-code',
    title: 'Qwen Code',
    hint: /"parts":/,
    shows: ['tokens', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: '0.21, 0.22',
    places: (home, env) => {
      const base = variable(env, 'QWEN_RUNTIME_DIR') ?? folderOf(env, 'QWEN_HOME', home, '.qwen');
      return [{ place: join(base, 'projects'), only: /^(?=.*\.jsonl$).*[\\/](?:chats|subagents)[\\/]/s }];
    },
    adapter: async () => (await import('./qwen-code.ts')).qwenCodeAdapter,
  },
  // The CLI is closed source: known from the event types of its SDK and from fixtures. That the input includes cached
  // tokens is what other programs report.
  {
    name: 'copilot-cli',
    title: 'GitHub Copilot CLI',
    hint: /"type": ?"(?:session|user|assistant|tool)\.[a-z_]+"/,
    shows: ['tokens', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: '0.0.420, 1.0.11, 1.0.77, 1.0.81',
    unmeasured: ['Input tokens of a session that has not shut down.'],
    // Its events have files, checkpoints and a database of the session next to them.
    places: (home, env) => [
      {
        place: join(folderOf(env, 'COPILOT_HOME', home, '.copilot'), 'session-state'),
        holds: 'events.jsonl',
        only: /[\\/]session-state[\\/](?:[^\\/]+[\\/]events|[^\\/]+)\.jsonl$/,
      },
    ],
    adapter: async () => (await import('./copilot-cli.ts')).copilotCliAdapter,
  },
  // Established from the sources of Kimi Code and the Kimi CLI and, for Kimi Code, from fixtures. Files next to
  // `wire.jsonl` (the current context, output of commands) are no transcripts, or less complete ones.
  {
    name: 'kimi',
    title: 'Kimi CLI and Kimi Code',
    hint: /"(?:protocol_version|modelAlias)":|"type": ?"(?:(?:turn|context|usage|config|llm|profile)\.|(?:Turn|Step)Begin")/,
    shows: ['tokens', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: 'Kimi Code 0.38, Kimi CLI with protocol 1.4 and 1.10',
    places: (home, env) =>
      [
        folderOf(env, 'KIMI_CODE_HOME', home, '.kimi-code'),
        folderOf(env, 'KIMI_SHARE_DIR', home, '.kimi'),
      ].map((one) => ({ place: join(one, 'sessions'), only: /[\\/]wire\.jsonl$/ })),
    companions: async (path) =>
      [(await import('./kimi.ts')).statePath(path)].filter((one) => one !== undefined),
    adapter: async () => (await import('./kimi.ts')).kimiAdapter,
  },
  // Cursor is closed source: the tables of the CLI are known from one fixture, their blocks and the keys of the editor
  // from other programs that read them. Its printed output is read as stream JSON.
  {
    name: 'cursor',
    title: 'Cursor',
    packing: 'sqlite',
    shows: ['tokens', 'cost', 'failures', 'denials', 'sub-agents', 'ends', 'model'],
    versions: 'stores of the CLI and of the editor of 2025 and 2026',
    unmeasured: ['Tokens, cost and ends, in stores of the CLI.'],
    places: (home, env) => [
      { place: join(home, '.cursor', 'chats'), holds: 'store.db', only: /[\\/]store\.db$/ },
      {
        place: join(applicationData(home, env), 'Cursor', 'User', 'globalStorage'),
        only: /[\\/]state\.vscdb$/,
        flat: true,
      },
    ],
    includes: (path) => /[\\/]state\.vscdb$/.test(path),
    companions: writeAheadLog,
    adapter: async () => (await import('./cursor.ts')).cursorAdapter,
  },
  // Known from fixtures. Transcripts have less than the databases: no times, tokens or ids, and hardly ever results.
  {
    name: 'cursor-transcript',
    title: 'Cursor transcripts',
    hint: /"role": ?"(?:user|assistant)", ?"message":/,
    shows: ['failures', 'sub-agents', 'ends', 'model'],
    versions: '2026',
    unmeasured: ['Times.', 'Results, but for few versions.'],
    places: (home) => [
      {
        place: join(home, '.cursor', 'projects'),
        only: /^(?=.*\.jsonl$).*[\\/]agent-transcripts[\\/]./s,
        agent: 'cursor',
      },
    ],
    printed: true,
    adapter: async () => (await import('./cursor-transcript.ts')).cursorTranscriptAdapter,
  },
  // Established from the sources of Cline and Roo Code (storage of tasks, types of messages) and Cline's contract of messages. What
  // older versions of Cline count as input is not.
  {
    name: 'cline',
    title: 'Cline and Roo Code',
    hint: /<(?:environment_details|task|user_message)>|"agent": ?"(?:lead|subagent|teammate)"/,
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: 'Cline 4.1 and its task folders before, Roo Code 3.52',
    places: clinePlaces,
    // Read with the history of their task, or not at all.
    ignores: (path) =>
      /[\\/](?:tasks[\\/](?:[^\\/]+[\\/](?:ui_messages|task_metadata|context_history|history_item|focus_chain[^\\/]*)|_index)\.json|sessions[\\/]([^\\/]+)[\\/]\1(?:\.compaction)?\.json)$/.test(
        path,
      ),
    companions: async (path) => (await import('./cline.ts')).companionsOfTask(path),
    adapter: async () => (await import('./cline.ts')).clineAdapter,
  },
  // Established from the source of Goose 1.30 (`crates/goose/src/session`, `conversation/message.rs`); cached tokens, cost and parent
  // from the tables of version 16 of its database. The lines were taken over into the database and stayed.
  {
    name: 'goose',
    title: 'Goose',
    hint: /"(?:toolRequest|toolResponse|toolConfirmationRequest|systemNotification)"|"(?:userVisible|working_dir)":/,
    packing: 'sqlite',
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: '1.30, databases to version 16',
    unmeasured: [
      'The cost, in databases before it was kept there.',
      'Ends, but for errors that are printed.',
    ],
    places: (home, env) => {
      const root = variable(env, 'GOOSE_PATH_ROOT');
      const folder = root === undefined ? join(dataHome(home, env), 'goose') : join(root, 'data');
      return [{ place: join(folder, 'sessions'), only: /(?:[\\/]sessions\.db|\.jsonl)$/, flat: true }];
    },
    isCopy: (path) => /^(?=.*[\\/]goose[\\/]).*sessions[\\/][^\\/]+\.jsonl$/s.test(path),
    companions: writeAheadLog,
    adapter: async () => (await import('./goose.ts')).gooseAdapter,
  },
  // Established from the source of Crush (`internal/db`, `internal/message`, `internal/session`, `internal/projects`).
  {
    name: 'crush',
    title: 'Crush',
    packing: 'sqlite',
    shows: ['cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: '0.90',
    elsewhere: '`.crush` of each project in its own list',
    unmeasured: ['Tokens: what is stored is of the last request only.'],
    places: (home, env) => {
      const global = folderOf(env, 'CRUSH_GLOBAL_DATA', dataHome(home, env), 'crush');
      const list = asObjects(asObject(readJson(join(global, 'projects.json')))?.projects);
      const folders = list
        .flatMap(({ data_dir: folder }) => asText(folder) ?? [])
        .filter((one) => isAbsolute(one));
      return [global, ...new Set(folders)].map((place) => ({ place, only: /[\\/]crush\.db$/, flat: true }));
    },
    companions: writeAheadLog,
    adapter: async () => (await import('./crush.ts')).crushAdapter,
  },
  // Threads that the CLI stored on disk until early 2026, and the output of `amp threads export`. Amp is closed source:
  // the format is known from other programs that read it.
  {
    name: 'amp',
    title: 'Amp',
    hint: /"id": ?"T-/i,
    shows: ['tokens', 'failures', 'denials', 'ends', 'model'],
    versions: 'threads of 2025 and 2026',
    places: (home, env) => [
      { place: join(dataHome(home, env), 'amp', 'threads'), only: /[\\/]T-[^\\/]+\.json$/, flat: true },
    ],
    adapter: async () => (await import('./amp.ts')).ampAdapter,
  },
  // Established from its source (`core/util/history.ts`, `core/index.d.ts`, `extensions/cli/src/session.ts`).
  {
    name: 'continue',
    title: 'Continue',
    hint: /"workspaceDirectory":/,
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'model'],
    versions: 'of June 2026',
    unmeasured: ['Times, but for the beginning of the session.'],
    places: (home, env) => [
      {
        place: join(folderOf(env, 'CONTINUE_GLOBAL_DIR', home, '.continue'), 'sessions'),
        only: /[\\/](?!sessions\.json$)[^\\/]+\.json$/,
        flat: true,
      },
    ],
    adapter: async () => (await import('./continue.ts')).continueAdapter,
  },
  // Known from fixtures: where it stores tokens, and how it records a compaction, is not established.
  {
    name: 'grok',
    title: 'Grok CLI',
    hint: /"(?:model_id|prompt_index)":|"backend_tool_call"/,
    shows: ['failures', 'sub-agents', 'ends', 'model'],
    versions: 'chat format 1',
    unmeasured: [
      'Times, but for the beginning of the session.',
      'Failures, but for calls that are made where the model runs: the text tells.',
      'Ends, but for being stopped.',
    ],
    places: (home, env) => [
      {
        place: join(folderOf(env, 'GROK_HOME', home, '.grok'), 'sessions'),
        only: /[\\/]chat_history\.jsonl$/,
      },
    ],
    companions: async (path) => [join(dirname(path), 'summary.json')],
    adapter: async () => (await import('./grok.ts')).grokAdapter,
  },
  // Droid is closed source: known from a few short fixtures, its settings from other programs that read them. Not
  // checked against real sessions.
  {
    name: 'droid',
    title: 'Droid',
    hint: /^\{"type": ?"message"|"type": ?"session_start"|"(?:reasoning_effort|toolId|toolName|finalText)":/m,
    shows: ['tokens', 'failures', 'denials', 'compaction', 'ends', 'model'],
    versions: '0.81',
    unmeasured: ['Ends, in stored sessions.'],
    places: (home) => [{ place: join(home, '.factory', 'sessions'), only: /\.jsonl$/ }],
    ignores: (path) => /^(?=.*\.settings\.json$).*[\\/]\.factory[\\/]sessions[\\/]/s.test(path),
    companions: async (path) => [path.replace(/\.jsonl$/, '.settings.json')],
    adapter: async () => (await import('./droid.ts')).droidAdapter,
  },
  // The database, and that a compression continues in a session of its own, are established from its source
  // (`hermes_state.py`), the files from fixtures. How its tools word failures and refusals is not checked against real
  // sessions.
  {
    name: 'hermes',
    title: 'Hermes Agent',
    hint: /"session_meta"|"session_start":/,
    packing: 'sqlite',
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: 'its database and its files of 2026',
    unmeasured: ['Tokens, cost and sub-agents, in its files: the database has them.'],
    elsewhere: '`~/.hermes/profiles/<profile>`',
    // Each profile has its own home.
    places: (home, env) => {
      const folder = folderOf(env, 'HERMES_HOME', home, '.hermes');
      const profiles = join(folder, 'profiles');
      return [folder, ...foldersIn(profiles).map((name) => join(profiles, name))].flatMap((own) => [
        { place: own, only: /[\\/]state\.db$/, flat: true },
        {
          place: join(own, 'sessions'),
          only: /[\\/](?:session_[^\\/]+\.json|\d{8}_[^\\/]+\.jsonl)$/,
          flat: true,
        },
      ]);
    },
    printed: (path) => /\.jsonl?$/.test(path),
    companions: writeAheadLog,
    adapter: async () => (await import('./hermes.ts')).hermesAdapter,
  },
  // The transcript next to a conversation, which itself is encrypted. Antigravity is closed source: known from fixtures
  // and from another program that reads the same file.
  {
    name: 'antigravity',
    title: 'Antigravity',
    hint: /"step_index":/,
    shows: ['failures', 'compaction', 'ends', 'model'],
    versions: 'of June 2026',
    unmeasured: ['Ends, but for errors.'],
    places: (home) =>
      ['antigravity', 'antigravity-cli'].map((name) => ({
        place: join(home, '.gemini', name, 'brain'),
        holds: join('.system_generated', 'logs', 'transcript.jsonl'),
        only: /[\\/]\.system_generated[\\/]logs[\\/]transcript\.jsonl$/,
      })),
    adapter: async () => (await import('./antigravity.ts')).antigravityAdapter,
  },
  // Aider stores no list of repositories: name the file, or a folder. Established from its source (`aider/io.py`,
  // `aider/coders/base_coder.py`, `aider/analytics.py`).
  {
    name: 'aider',
    title: 'Aider',
    hint: /aider chat started|Aider v\d|"properties":/,
    shows: ['tokens', 'cost', 'ends', 'model'],
    versions: '0.86',
    elsewhere: '`.aider.chat.history.md` of a repository that is named',
    unmeasured: ['Times of what is in a chat history, but for the beginnings of sessions.'],
    includes: (path) => /[\\/]\.aider\.chat\.history\.md$/.test(path),
    adapter: async () => (await import('./aider.ts')).aiderAdapter,
  },
  // Established from the types of the agent SDK of Claude Code (the CLI itself is closed source), the source of Qwen
  // Code, and Cursor's page on its output. Cursor's page describes a success only: refusals, failures and tokens are
  // known from other programs. The stream of Amp is assumed to be like that of Claude Code, as its SDK says.
  {
    name: 'stream-json',
    title: 'Print mode of Claude Code, Qwen Code, Cursor and Amp (stream JSON)',
    hint: /"session_id":/,
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: 'Claude Code 2.1, Qwen Code 0.22, Cursor of 2026, Amp of 2026',
    elsewhere: 'wherever its output was kept',
    unmeasured: ['Times of what Claude Code prints.'],
    printed: true,
    endsItself: true,
    adapter: async () => (await import('./stream-json.ts')).streamJsonAdapter,
  },
  // Established from its source (`packages/opencode/src/cli/cmd/run.ts`). The store of OpenCode has the same session, with more in it.
  {
    name: 'opencode-run',
    title: 'OpenCode run events (opencode run --format json)',
    hint: /"sessionID":/,
    shows: ['tokens', 'cost', 'failures', 'denials', 'ends'],
    versions: '1.18',
    unmeasured: ['What was asked.'],
    elsewhere: 'wherever its output was kept',
    printed: true,
    endsItself: true,
    adapter: async () => (await import('./opencode-run.ts')).opencodeRunAdapter,
  },
  // Established from the source of the Codex CLI (`codex-rs/exec`). Lines of builds before it had items are read by the names of
  // events in `codex-rs/protocol`; no such build was looked at. The same session is a rollout, unless it was ephemeral.
  {
    name: 'codex-exec',
    title: 'Codex exec events (codex exec --json)',
    hint: /"type": ?"(?:thread|turn|item)\.|"msg":/,
    shows: ['tokens', 'failures', 'denials', 'sub-agents', 'ends', 'model'],
    versions: 'of August 2026 (items), and builds before it had items',
    elsewhere: 'wherever its output was kept',
    unmeasured: ['Times.', 'The model and what was asked, in items.'],
    printed: true,
    endsItself: true,
    adapter: async () => (await import('./codex-exec.ts')).codexExecAdapter,
  },
  // Established from its source (`packages/core/src/output`, `packages/cli/src/nonInteractiveCli.ts`).
  {
    name: 'gemini-stream',
    title: 'Gemini CLI print mode (stream JSON)',
    hint: /"(?:tool_id|stats)":|"type": ?"init"/,
    shows: ['tokens', 'failures', 'denials', 'ends', 'model'],
    versions: '0.56',
    elsewhere: 'wherever its output was kept',
    unmeasured: ['Calls that a person refused: they are printed as done.'],
    printed: true,
    endsItself: true,
    adapter: async () => (await import('./gemini-stream.ts')).geminiStreamAdapter,
  },
  // Established from Claude Code's page on monitoring, and from the telemetry pages of Gemini CLI and of Qwen Code,
  // which has the same events under its own name.
  {
    name: 'otlp-logs',
    title: 'What Claude Code, Gemini CLI and Qwen Code log over OpenTelemetry (OTLP)',
    hint: /"(?:resource_?logs|scope_?logs|log_?records|event\.name)"/i,
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: 'Claude Code 2.1, Gemini CLI 0.56, Qwen Code of 2026',
    elsewhere: 'wherever a collector wrote it',
    unmeasured: [
      'What was said, where the agent was not told to log it.',
      'The cost, but of Claude Code. Ends, but for requests that failed.',
    ],
    printed: true,
    adapter: async () => (await import('./otlp-logs.ts')).otlpLogsAdapter,
  },
  // Established from its source (`codex-rs/otel`).
  {
    name: 'otlp-codex',
    title: 'What Codex logs over OpenTelemetry (OTLP)',
    hint: /"(?:resource_?logs|scope_?logs|log_?records|event\.name)"/i,
    shows: ['tokens', 'failures', 'denials', 'ends', 'model'],
    versions: 'of 2026',
    elsewhere: 'wherever a collector wrote it',
    unmeasured: [
      'What was said by the model, and by the person where Codex was not told to log it.',
      'Ends, but for requests that failed.',
    ],
    printed: true,
    adapter: async () => (await import('./otlp-logs.ts')).otlpCodexAdapter,
  },
  // Spans of any program that exports them. The place is known for agents that store theirs in files.
  {
    name: 'otlp',
    title: 'OpenTelemetry GenAI and OpenInference spans (OTLP, JSON or protobuf)',
    hint: /"(?:resource_?spans|scope_?spans|span_?id|spans)"/i,
    shows: ['tokens', 'cost', 'failures', 'sub-agents', 'ends', 'model'],
    versions:
      'what 17 instrumentations sent in 2026: GenAI conventions, OpenInference, Traceloop, Vercel AI SDK 4 to 7; by their conventions Azure AI, Google ADK, Langfuse, LangSmith, MLflow, Pydantic AI and Strands',
    unmeasured: ['Whatever the exporting program leaves out, often what was said.'],
    places: (home, env) => [
      {
        agent: 'copilot (OpenTelemetry)',
        place: join(folderOf(env, 'COPILOT_HOME', home, '.copilot'), 'otel'),
      },
    ],
    includes: (path) => /\.(?:pb|binpb|otlp)(?:\.(?:gz|zst))?$/i.test(path),
    printed: true,
    traceOf: (sessionId) => (/^[0-9a-f]{32}$/.test(sessionId) ? sessionId : undefined),
    adapter: async () => (await import('./otlp/adapter.ts')).otlpAdapter,
  },
  // A trace as it is downloaded, observations from the tables, the API (v1 and v2) and the export to storage. Established from the
  // types of its API client and its documented fields of exports.
  {
    name: 'langfuse',
    title: 'Langfuse exports of traces and observations (JSON, JSON lines)',
    hint: /"(?:observations|trace_?id)":/i,
    shows: ['tokens', 'cost', 'failures', 'ends', 'model'],
    versions: 'API client 5.11: traces and observations v1, observations v2; exports to storage of 2026',
    unmeasured: [
      'Observations alone say which session they are of only from v2 on; without it each trace is a session.',
      'Lists of traces without their observations are not read, and CSV neither: export the observations as JSON or JSON lines.',
      'What was spent on embeddings.',
    ],
    elsewhere: 'where you exported it to',
    printed: true,
    traceOf: (sessionId) => (sessionId.startsWith('trace:') ? sessionId.slice('trace:'.length) : undefined),
    labels: async () => (await import('./langfuse/labels.ts')).harness,
    adapter: async () => (await import('./langfuse/adapter.ts')).langfuseAdapter,
  },
  {
    name: 'tau-bench',
    title: 'tau-bench results',
    hint: /"traj":/,
    shows: ['failures', 'ends', 'model'],
    versions: 'of 2024',
    elsewhere: 'where the harness wrote it',
    unmeasured: ['Times.'],
    adapter: async () => (await import('./tau-bench.ts')).tauAdapter,
  },
  {
    name: 'tau2-bench',
    title: 'tau2-bench results',
    hint: /"(?:simulations|termination_reason|reward_info|task_id|num_trials)":/,
    shows: ['tokens', 'cost', 'failures', 'ends', 'model'],
    versions: 'of 2025',
    elsewhere: 'where the harness wrote it',
    labels: async () => (await import('./tau-bench.ts')).harness,
    adapter: async () => (await import('./tau-bench.ts')).tau2Adapter,
  },
  // Known from its published description and from copies of Harbor's models; the repository itself was not read. Agents
  // often store their own session next to it: that one counts. The agent's printed output is there as text:
  // `<trial>/agent/codex.txt`.
  {
    name: 'atif',
    title: 'ATIF trajectories (Harbor, Terminal-Bench 2)',
    hint: /"ATIF-v/,
    shows: ['tokens', 'cost', 'sub-agents', 'model'],
    versions: '1.0 to 1.7',
    elsewhere: 'where the harness wrote it',
    includes: (path) =>
      /[\\/]agent[\\/][^\\/]+\.(?:txt|log)$/.test(path) &&
      existsSync(join(dirname(dirname(path)), 'result.json')),
    printed: true,
    adapter: async () => (await import('./atif.ts')).atifAdapter,
  },
  // Established from the package's own `log/_log.py`, `log/_recorders/eval.py` and `event/*.py`.
  {
    name: 'inspect-ai',
    title: 'Inspect AI logs',
    hint: /"eval":/,
    packing: 'zip',
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'ends', 'model'],
    versions: 'log version 2',
    elsewhere: 'where the harness wrote it',
    // Without the variable logs are in the folder of a project, where Assay does not search.
    places: (_home, env) => {
      const folder = variable(env, 'INSPECT_LOG_DIR');
      return folder === undefined || !isAbsolute(folder) ? [] : [{ place: folder, only: /\.(?:eval|json)$/ }];
    },
    includes: (path) => /\.eval$/i.test(path),
    labels: async () => (await import('./inspect-ai.ts')).harness,
    adapter: async () => (await import('./inspect-ai.ts')).inspectAiAdapter,
  },
  {
    name: 'swe-agent',
    title: 'SWE-agent trajectories',
    hint: /"(?:trajectory|exit_status|model_stats|history|observation|environment)":/,
    shows: ['tokens', 'cost', 'failures', 'ends', 'model'],
    versions: 'SWE-agent 0.7 and 1, mini-swe-agent 1',
    elsewhere: 'where the harness wrote it',
    unmeasured: ['Times.', 'Failures, in trajectories of SWE-agent: the text tells.'],
    adapter: async () => (await import('./swe-agent.ts')).sweAgentAdapter,
  },
  {
    name: 'openhands',
    title: 'OpenHands events',
    hint: /"(?:observation|action|llm_metrics|history)":/,
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: 'events of version 0, output of its evaluation',
    elsewhere: 'where the harness wrote it',
    adapter: async () => (await import('./openhands.ts')).openHandsAdapter,
  },
  {
    name: 'neutral',
    title: 'Neutral transcript (JSONL)',
    hint: /^[[ ]*\{(?![^{}]*"(?:message|payload|uuid|sessionId|parentId|toolName|cwd)":)[^{}]*"type": ?"(?:session|user|assistant|tool_call|tool_result)"/m,
    shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
    versions: '1',
    strictDetection: true,
    elsewhere: 'wherever you write it',
    adapter: async () => (await import('./neutral.ts')).neutralAdapter,
  },
];

export function formatNamed(name: string): Format {
  const format = FORMATS.find((one) => one.name === name);
  if (format === undefined) throw new Error(`there is no format ${name}`);
  return format;
}
