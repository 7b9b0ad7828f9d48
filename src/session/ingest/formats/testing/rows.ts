/** Rows of databases as the formats hand them to themselves, one set for each format that is read from one. */
import { crushAdapter } from '../crush.ts';
import { cursorAdapter } from '../cursor.ts';
import type { Adapter } from '../format.ts';
import { gooseAdapter } from '../goose.ts';
import { hermesAdapter } from '../hermes.ts';

const call = {
  status: 'completed',
  name: 'run_terminal_cmd',
  toolCallId: 'c',
  params: '{}',
  result: '{"exitCode":1}',
};

export const ROWS: readonly (readonly [name: string, adapter: Adapter, rows: readonly unknown[]])[] = [
  [
    'cursor',
    cursorAdapter,
    [
      {
        composer: {
          composerId: 's',
          createdAt: 1767225600000,
          usageData: { m: { costInCents: 3 } },
          parent: 'p',
        },
      },
      { bubble: { type: 1, text: 'Fix it.', createdAt: '2026-01-01T00:00:00.000Z' } },
      {
        bubble: {
          type: 2,
          text: 'So.',
          tokenCount: { inputTokens: 1, outputTokens: 2 },
          toolFormerData: call,
        },
      },
      { composer: { ended: true, status: 'completed' } },
      { chat: { agentId: 's', lastUsedModel: 'm', createdAt: 1767225600000 } },
      {
        message: {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'Shell', args: {} }],
        },
      },
      {
        message: {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'c', result: { exitCode: 1 } }],
        },
      },
    ],
  ],
  [
    'crush',
    crushAdapter,
    [
      { id: 's', parent_session_id: null, cost: 0.5 },
      {
        id: 'm1',
        role: 'user',
        parts: [{ type: 'text', data: { text: 'Fix it.' } }],
        created_at: 1775000000,
      },
      {
        id: 'm2',
        role: 'assistant',
        model: 'm',
        parts: [
          { type: 'tool_call', data: { id: 'c', name: 'agent', input: '{}' } },
          { type: 'finish', data: { reason: 'canceled' } },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_result', data: { tool_call_id: 'c', content: 'Exit code 1' } }] },
    ],
  ],
  [
    'goose',
    gooseAdapter,
    [
      {
        id: 's',
        working_dir: '/w',
        session_type: 'sub_agent',
        accumulated_input_tokens: 9,
        model_config_json: '{}',
      },
      {
        role: 'assistant',
        created: 1775000000,
        content: [
          { type: 'toolRequest', id: 't', toolCall: { status: 'success', value: { name: 'shell' } } },
        ],
        metadata: { userVisible: false, agentVisible: true },
      },
    ],
  ],
  [
    'hermes',
    hermesAdapter,
    [
      {
        role: 'session_meta',
        id: 's',
        model: 'a/b',
        input_tokens: 3,
        estimated_cost_usd: 0.1,
        model_config: '{}',
      },
      {
        role: 'assistant',
        content: 'So.',
        tool_calls: '[{"id":"c","function":{"name":"terminal"}}]',
        timestamp: 1.7e9,
      },
      { role: 'tool', tool_call_id: 'c', content: '{"exit_code":1}' },
    ],
  ],
];
