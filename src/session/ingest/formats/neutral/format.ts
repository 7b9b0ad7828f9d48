import type { Format } from '../format.ts';

export const neutral: Format = {
  name: 'neutral',
  title: 'Neutral transcript (JSONL)',
  hint: /^[[ ]*\{(?![^{}]*"(?:message|payload|uuid|sessionId|parentId|toolName|cwd)":)[^{}]*"type": ?"(?:session|user|assistant|tool_call|tool_result)"/m,
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: '1',
  asksMost: true,
  elsewhere: 'wherever you write it',
  adapter: async () => (await import('./adapter.ts')).neutralAdapter,
};
