/** Files of agents that others collected: every kind of record in them is known, and says what it should. */
import { existsSync, globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAll } from '../read-all.ts';

const SHARED = '../shared/data/session/format-fixtures/Resources/Fixtures/stage0/agents';

async function read(pattern: string) {
  const { sessions, readings } = await readAll(globSync(`${SHARED}/${pattern}`));
  return {
    sources: [...new Set(sessions.map(({ facts }) => facts.source))],
    sessions: sessions.map(({ facts }) => facts),
    unknown: readings.flatMap(({ unknownRecords }) => Object.keys(unknownRecords)),
  };
}

describe.skipIf(!existsSync(SHARED))('files that others collected', () => {
  it.each([
    ['opencode', 'opencode/**/session/*/*.json', 3],
    ['qwen-code', 'qwen/019f*.jsonl', 5],
    ['copilot-cli', 'copilot/{large,subdir_v1/*/events}.jsonl', 2],
    ['kimi', 'kimi/*.jsonl', 3],
    ['hermes', 'hermes/{small,large}.json', 2],
    ['grok', 'grok/**/chat_history.jsonl', 2],
    ['droid', 'droid/*_{small,large}.jsonl', 4],
    ['antigravity', 'antigravity/cli_small.jsonl', 1],
    ['cursor-transcript', 'cursor/{small,large,subagent/parent,subagent/subagents/child}.jsonl', 4],
  ])('of %s are read without a record that is not known', async (source, pattern, count) => {
    const { sources, sessions, unknown } = await read(pattern);
    expect(sources).toEqual([source]);
    expect(sessions).toHaveLength(count);
    expect(unknown).toEqual([]);
  });

  it.each([
    ['cursor-transcript', 'cursor/schema_drift.jsonl', ['block custom_block']],
    ['hermes', 'hermes/schema_drift.json', []],
    ['copilot-cli', 'copilot/schema_drift.jsonl', []],
    ['opencode', 'opencode/**/session/*/ses_s_stage0_drift.json', []],
    ['openclaw', 'openclaw/schema_drift.jsonl', ['message system', 'compact']],
    ['codex', 'codex/schema_drift.jsonl', []],
    ['gemini', 'gemini/schema_drift.json', []],
    ['claude-code', 'claude/schema_drift.jsonl', ['tool_use', 'tool_result']],
    ['droid', 'droid/*_schema_drift.jsonl', []],
    ['antigravity', 'antigravity/cli_schema_drift.jsonl', ['BROWSER_NAVIGATE']],
  ])('of %s of a version to come are read, and what is new is named', async (source, pattern, strange) => {
    const { sources, unknown } = await read(pattern);
    expect(sources).toEqual([source]);
    expect(unknown).toEqual(strange);
  });
});
