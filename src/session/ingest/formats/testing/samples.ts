/** A file of every kind that formats are detected by, and the format it is in. */
import { readFileSync } from 'node:fs';
import type { Sample } from '../format.ts';

const FIXTURES: Readonly<Record<string, string>> = {
  'otlp-logs/claude-code.jsonl': 'otlp-logs',
  'otlp-codex/logs.jsonl': 'otlp-codex',
  'otlp-logs/gemini-cli.json': 'otlp-logs',
  'otlp-genai/document.json': 'otlp',
  'otlp-lines/lines.jsonl': 'otlp',
  'openinference-tree/trace.json': 'otlp',
  'tau-bench/tool-calling-gpt-4o-0.0_range_0-3_user-gpt-4o-llm.json': 'tau-bench',
  'tau2-bench/results.json': 'tau2-bench',
  'swe-agent-step-limit/demo__calc-7.traj': 'swe-agent',
  'mini-swe-agent/demo.traj.json': 'swe-agent',
  'atif/trajectory.json': 'atif',
  'inspect-ai/log.json': 'inspect-ai',
  'langfuse/trace.json': 'langfuse',
  'langfuse/observations.jsonl': 'langfuse',
  'openhands-events/trajectory.json': 'openhands',
  'openhands-evaluation/output.jsonl': 'openhands',
  'opencode/export/session.json': 'opencode',
  'opencode/storage/session/proj1/ses_root0000000000000001.json': 'opencode',
  'opencode-run/run.jsonl': 'opencode-run',
  'qwen-code/session.jsonl': 'qwen-code',
  'kimi/sessions/wd_calc_1/session_0190bbbb-0000-4000-8000-000000000001/agents/main/wire.jsonl': 'kimi',
  'kimi-cli/sessions/0cc175b9c0f1b6a831c399e269772661/0190cccc-0000-4000-8000-000000000001/wire.jsonl':
    'kimi',
  'stream-json/claude.jsonl': 'stream-json',
  'stream-json/claude-result.json': 'stream-json',
  'stream-json/qwen.jsonl': 'stream-json',
  'stream-json/cursor.jsonl': 'stream-json',
  'cursor-transcript/agent-transcripts/c2000000-0000-4000-8000-000000000001/c2000000-0000-4000-8000-000000000001.jsonl':
    'cursor-transcript',
  'cline/tasks/1775000000000/api_conversation_history.json': 'cline',
  'cline/roo/tasks/0198-roo/api_conversation_history.json': 'cline',
  'cline/sessions/cs1/cs1.messages.json': 'cline',
  'goose/sessions/20260401_101500.jsonl': 'goose',
  'amp/T-0190aaaa-0000-4000-8000-000000000001.json': 'amp',
  'continue/session.json': 'continue',
  'hermes/sessions/session_20260429_200000_ab12cd34.json': 'hermes',
  'grok/019f0000-aaaa-7ef0-97d3-000000000001/chat_history.jsonl': 'grok',
  'droid/sessions/d1.jsonl': 'droid',
  'droid/stream.jsonl': 'droid',
  'antigravity/brain/a1000000-0000-4000-8000-000000000001/.system_generated/logs/transcript.jsonl':
    'antigravity',
  'aider/analytics.jsonl': 'aider',
  'codex-exec/run.jsonl': 'codex-exec',
  'codex-exec/earlier.jsonl': 'codex-exec',
  'gemini-stream/run.jsonl': 'gemini-stream',
  'claude-code-inline/old-1.jsonl': 'claude-code',
  'codex-rollout/rollout.jsonl': 'codex',
  'gemini-document/session.json': 'gemini',
  'gemini-lines/session.jsonl': 'gemini',
  'openclaw-main/session.jsonl': 'openclaw',
  'pi-v1-linear/session.jsonl': 'pi',
  'pi-v3-tree/session.jsonl': 'pi',
  'copilot-cli/session-state/5f0c0000-1111-4222-8333-444455556666/events.jsonl': 'copilot-cli',
};

const NEUTRAL = /```jsonl\n([\s\S]*?)```/.exec(readFileSync('docs/formats/neutral.md', 'utf8'))?.[1] ?? '';

export function sampleOf(path: string, text: string): Sample {
  const document = !/\.jsonl$/.test(path);
  const records = document ? [JSON.parse(text)] : text.trim().split('\n').map(parseLine);
  return { records: records.filter((record) => record !== undefined).slice(0, 20), document, path };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export const SAMPLES = [
  ...Object.entries(FIXTURES).map(([file, name]) => {
    const path = `test/fixtures/session/${file}`;
    return { name, sample: sampleOf(path, readFileSync(path, 'utf8')) };
  }),
  { name: 'neutral', sample: sampleOf('neutral.jsonl', NEUTRAL) },
];
