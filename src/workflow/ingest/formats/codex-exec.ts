/** Events printed by `codex exec --json`. */
import { type AgentAnswer, type Fields, numberOf, recordsOf, runsOfAgent } from '../agent-answer.ts';
import { isRecord } from '../fields.ts';
import type { Importer } from './importer.ts';

export const codexExec: Importer = {
  name: 'codex-exec',
  title: 'codex exec (JSON events)',
  cannotCarry: ['depth', 'concerns', 'labels'],
  detect: (file) =>
    recordsOf(file).some(({ type }) => type === 'thread.started' || type === 'turn.completed'),
  readRuns: (file, options) => runsOfAgent(file, options, codexAnswer(recordsOf(file))),
};

function codexAnswer(records: readonly Fields[]): AgentAnswer {
  const items = records.flatMap(({ type, item }) =>
    type === 'item.completed' && isRecord(item) ? [item] : [],
  );
  const message = items.findLast((item) =>
    ['agent_message', 'assistant_message'].includes(String(item.type ?? item.item_type)),
  );
  const turns = records.flatMap(({ type, usage }) =>
    type === 'turn.completed' && isRecord(usage) ? [usage] : [],
  );
  const failed = records.findLast(({ type }) => type === 'turn.failed' || type === 'error');
  // Cached input is part of the input.
  const tokens = turns.reduce(
    (sum, usage) => sum + numberOf(usage, 'input_tokens') + numberOf(usage, 'output_tokens'),
    0,
  );
  return {
    answer: message?.text,
    ended: failed === undefined ? undefined : String(failed.type),
    tokens: turns.length > 0 ? tokens : undefined,
  };
}
