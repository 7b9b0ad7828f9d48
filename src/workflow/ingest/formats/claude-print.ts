/** Output of `claude -p` with `--output-format json` (a list of messages with `--verbose`) or `stream-json`. */
import {
  type AgentAnswer,
  type Fields,
  measured,
  numberOf,
  recordsOf,
  runsOfAgent,
  wordOf,
} from '../agent-answer.ts';
import { isRecord } from '../fields.ts';
import type { Importer, RawFile } from './importer.ts';

export const claudePrint: Importer = {
  name: 'claude-print',
  title: 'claude -p (json, stream-json)',
  cannotCarry: ['depth', 'concerns', 'labels'],
  detect: (file) => claudeRecords(file).some(({ type }) => type === 'result'),
  readRuns: (file, options) => runsOfAgent(file, options, claudeAnswer(claudeRecords(file))),
};

/** Results of other programs have no session. */
function claudeRecords(file: RawFile): readonly Fields[] {
  const records = recordsOf(file);
  return records.some((one) => one.type === 'result' && 'session_id' in one) ? records : [];
}

function claudeAnswer(records: readonly Fields[]): AgentAnswer {
  const result = records.findLast(({ type }) => type === 'result') ?? {};
  const start = records.find(({ type, subtype }) => type === 'system' && subtype === 'init');
  const models = isRecord(result.modelUsage) ? result.modelUsage : {};
  const [used] = Object.entries(models).toSorted(
    ([, a], [, b]) => numberOf(b, 'costUSD') - numberOf(a, 'costUSD'),
  );
  const usage = isRecord(result.usage) ? result.usage : {};
  const inputs = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];
  const isError =
    result.is_error === true || (typeof result.subtype === 'string' && result.subtype.startsWith('error'));
  return {
    answer: result.structured_output ?? result.result,
    ended: isError ? String(result.subtype ?? 'an error') : undefined,
    model: wordOf(start?.model) ?? wordOf(used?.[0]),
    tokens: inputs.some((key) => key in usage)
      ? inputs.reduce((sum, key) => sum + numberOf(usage, key), 0)
      : undefined,
    costUsd: measured(result.total_cost_usd),
    durationMs: measured(result.duration_ms),
  };
}
