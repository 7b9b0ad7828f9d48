/**
 * A home with files of every agent whose tokens ccusage counts too: the fixtures, and the shared transcripts where
 * present.
 */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const FIXTURES = join(import.meta.dirname, '../test/fixtures/session');
const SHARED = join(import.meta.dirname, '../../shared/data/session');
const COLLECTED = join(SHARED, 'format-fixtures/Resources/Fixtures');
const STAGED = join(COLLECTED, 'stage0/agents');

/** Where each agent stores its files; databases are made from SQL statements. */
const FILES: readonly (readonly [from: string, to: (name: string, n: number) => string])[] = [
  [`${FIXTURES}/claude-code-{inline,turns}/*.jsonl`, (name) => `.claude/projects/own/${name}`],
  [`${FIXTURES}/claude-code-subagents/**/*.jsonl`, (name) => `.claude/projects/own/${name}`],
  [`${SHARED}/claude-code/sessions/*[0-9a-f].jsonl`, (name) => `.claude/projects/shared/${name}`],
  [
    `{${FIXTURES}/codex-{rollout,legacy},${COLLECTED},${STAGED}/codex}/{rollout,codex_05*,small,large}*.jsonl`,
    (_, n) => `.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${n}.jsonl`,
  ],
  [`${FIXTURES}/amp/*.json`, (name) => `.local/share/amp/threads/${name}`],
  [
    `{${FIXTURES}/droid/sessions,${STAGED}/droid}/{d1,session_store_}*`,
    (name) => `.factory/sessions/p/${name}`,
  ],
  [`${FIXTURES}/shows/hermes/state.sql`, () => '.hermes/state.db'],
  [`${FIXTURES}/shows/goose/sessions.sql`, () => '.local/share/goose/sessions/sessions.db'],
  [`{${FIXTURES}/pi-v*,${SHARED}/pi/**}/*.jsonl`, (_, n) => `.pi/agent/sessions/--p--/2026_${n}.jsonl`],
  [
    `{${FIXTURES}/openclaw-main,${STAGED}/openclaw}/*.jsonl`,
    (name) => `.openclaw/agents/main/sessions/${name}`,
  ],
  [
    `${FIXTURES}/kimi/sessions/*/*/agents/main/wire.jsonl`,
    () => '.kimi-code/sessions/wd_1/session_1/agents/main/wire.jsonl',
  ],
  [`${FIXTURES}/kimi-cli/sessions/*/*/wire.jsonl`, () => '.kimi/sessions/0cc1/0190/wire.jsonl'],
  [`{${FIXTURES}/qwen-code,${STAGED}/qwen}/{session,019*}.jsonl`, (name) => `.qwen/projects/p/chats/${name}`],
  [
    `{${FIXTURES}/copilot-cli/**,${STAGED}/copilot}/{events,small,large}.jsonl`,
    (_, n) => `.copilot/session-state/${n}/events.jsonl`,
  ],
  [
    `{${FIXTURES}/gemini-{lines,document},${STAGED}/gemini}/{session,small,large,jsonl_v040}.json*`,
    (name, n) => `.gemini/tmp/p/chats/session-${n}.${name.split('.').at(-1)}`,
  ],
  [
    `${FIXTURES}/antigravity/brain/*/.system_generated/logs/transcript.jsonl`,
    () => '.gemini/antigravity/brain/a1/.system_generated/logs/transcript.jsonl',
  ],
  [`${STAGED}/grok/{chat_history.jsonl,summary.json}`, (name) => `.grok/sessions/p/s1/${name}`],
];

/** Folders that are taken as they are. */
const FOLDERS: readonly (readonly [from: string, to: string])[] = [
  [`${FIXTURES}/opencode/storage`, '.local/share/opencode/storage'],
  [`${STAGED}/opencode/storage_v2`, '.local/share/opencode/storage'],
];

export function buildTotalsHome(home: string): void {
  for (const [from, to] of FILES)
    for (const [index, path] of globSync(from).sort().entries())
      put(path, join(home, to(basename(path), index)));
  for (const [from, to] of FOLDERS) if (existsSync(from)) cpSync(from, join(home, to), { recursive: true });
}

function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (!from.endsWith('.sql')) {
    cpSync(from, to);
    return;
  }
  const database = new DatabaseSync(to);
  database.exec(readFileSync(from, 'utf8'));
  database.close();
}
