/** Each format has its own way to say that a call was forbidden or stopped, by whom, and why. */
import { describe, expect, it } from 'vitest';
import { claudeCodeAdapter } from './claude-code/adapter.ts';
import { codexAdapter } from './codex/adapter.ts';
import { copilotCliAdapter } from './copilot-cli.ts';
import type { Adapter } from './format.ts';
import { geminiAdapter } from './gemini.ts';
import { kimiAdapter } from './kimi.ts';
import { neutralAdapter } from './neutral.ts';
import { opencodeRunAdapter } from './opencode-run.ts';
import { piAdapter } from './pi.ts';
import { qwenCodeAdapter } from './qwen-code.ts';
import { ofKind, readLines } from './testing/read-events.ts';

function denials<State>(adapter: Adapter<State>, ...records: readonly unknown[]) {
  return ofKind(readLines(adapter, records), 'result').map(({ denied, byRule, reason, ok }) => ({
    ...(denied === undefined ? {} : { denied }),
    ...(byRule === undefined ? {} : { byRule }),
    ...(reason === undefined ? {} : { reason }),
    ...(ok === undefined ? {} : { ok }),
  }));
}

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";

describe('Claude Code', () => {
  const answered = (content: string, more: object = {}, error = true) => ({
    type: 'user',
    sessionId: 's',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content, ...(error ? { is_error: true } : {}) }],
    },
    ...more,
  });

  it('tells what the person said with a denial', () => {
    const said = `${REJECTED} To tell you how to proceed, the user said:\nmake a branch first`;
    expect(denials(claudeCodeAdapter, answered(said))).toEqual([
      { denied: true, reason: 'make a branch first' },
    ]);
    const noted = `${said}\n\nNote: The user's next message may contain a correction or preference.`;
    expect(denials(claudeCodeAdapter, answered(noted))).toEqual([
      { denied: true, reason: 'make a branch first' },
    ]);
  });

  it('tells no reason where nobody gave one', () => {
    const mute = `${REJECTED} STOP what you are doing and wait for the user to tell you how to proceed.`;
    expect(denials(claudeCodeAdapter, answered(mute))).toEqual([{ denied: true }]);
    const clarify = `${REJECTED} To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n  This means they may have more to say.`;
    expect(denials(claudeCodeAdapter, answered(clarify))).toEqual([{ denied: true }]);
  });

  it('tells rules from people, and a stopped call from one that ran out of time', () => {
    expect(
      denials(claudeCodeAdapter, answered('Permission to use Bash with command rm x has been denied.')),
    ).toEqual([{ denied: true, byRule: true }]);
    const stopped = { toolUseResult: { stdout: '', interrupted: true } };
    expect(denials(claudeCodeAdapter, answered('half of it', stopped, false))).toEqual([{ denied: true }]);
    expect(denials(claudeCodeAdapter, answered('Command timed out after 2m', stopped))).toEqual([
      { ok: false },
    ]);
  });
});

it('Codex tells calls that were rejected, declined or stopped', () => {
  const output = (text: string) => ({
    type: 'response_item',
    payload: { type: 'function_call_output', call_id: 'c1', output: text },
  });
  expect(denials(codexAdapter, output('exec command rejected by user'))).toEqual([{ denied: true }]);
  expect(denials(codexAdapter, output('aborted by user after 3.2s'))).toEqual([{ denied: true }]);
  expect(denials(codexAdapter, output('Exit code: 1\nrejected by user'))).toEqual([{ ok: false }]);
});

it('OpenCode tells the feedback of a person, and rules', () => {
  const part = (error: string) => ({
    type: 'tool_use',
    timestamp: 1,
    sessionID: 's',
    part: {
      type: 'tool',
      messageID: 'm',
      callID: 'c1',
      tool: 'bash',
      state: { status: 'error', input: {}, error },
    },
  });
  const denied = (error: string) => denials(opencodeRunAdapter, part(error));
  expect(denied('The user rejected permission to use this specific tool call.')).toEqual([{ denied: true }]);
  expect(
    denied(
      'The user rejected permission to use this specific tool call with the following feedback: use the test database',
    ),
  ).toEqual([{ denied: true, reason: 'use the test database' }]);
  expect(denied('The user has specified a rule which prevents you from using this tool')).toEqual([
    { denied: true, byRule: true },
  ]);
});

it('the Copilot CLI tells feedback and rules with the answer to its question', () => {
  const asked = {
    type: 'permission.requested',
    data: { requestId: 'r', permissionRequest: { toolCallId: 'c' } },
  };
  const answer = (result: object) =>
    denials(copilotCliAdapter, asked, { type: 'permission.completed', data: { requestId: 'r', result } });
  expect(answer({ kind: 'denied-interactively-by-user', feedback: 'not on main' })).toEqual([
    { denied: true, reason: 'not on main' },
  ]);
  expect(answer({ kind: 'denied-by-rules' })).toEqual([{ denied: true, byRule: true }]);
  expect(answer({ kind: 'approved' })).toEqual([]);
});

it('Kimi Code and the Kimi CLI tell feedback with the answer to their question', () => {
  const code = {
    type: 'permission.record_approval_result',
    toolCallId: 'c',
    result: { decision: 'rejected', feedback: 'read it first' },
    time: 1,
  };
  expect(denials(kimiAdapter, code)).toEqual([{ denied: true, reason: 'read it first' }]);
  const cli = (type: string, payload: object) => ({ timestamp: 1, message: { type, payload } });
  expect(
    denials(
      kimiAdapter,
      cli('ApprovalRequest', { id: 'r', tool_call_id: 'c' }),
      cli('ApprovalResponse', { request_id: 'r', response: 'reject', feedback: 'read it first' }),
    ),
  ).toEqual([{ denied: true, reason: 'read it first' }]);
});

it('pi tells what the person stopped', () => {
  const result = (text: string) => ({
    type: 'message',
    id: 'm',
    message: { role: 'toolResult', toolCallId: 'c', isError: true, content: [{ type: 'text', text }] },
  });
  expect(denials(piAdapter, result('two lines\n\nCommand aborted'))).toEqual([{ denied: true }]);
  expect(denials(piAdapter, result('Command failed'))).toEqual([{ ok: false }]);
});

it('Gemini and Qwen Code tell denials by the state of the call', () => {
  const gemini = {
    id: 'm',
    type: 'gemini',
    content: '',
    toolCalls: [{ id: 'c', name: 'edit', args: {}, status: 'cancelled' }],
  };
  expect(denials(geminiAdapter, gemini)).toEqual([{ denied: true }]);
  const qwen = (error: string) => ({
    type: 'tool_result',
    sessionId: 's',
    toolCallResult: { callId: 'c', status: 'error', errorType: 'execution_denied' },
    message: { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'edit', response: { error } } }] },
  });
  expect(denials(qwenCodeAdapter, qwen('Denied by the user'))).toEqual([{ denied: true }]);
  expect(denials(qwenCodeAdapter, qwen('Blocked by policy'))).toEqual([{ denied: true, byRule: true }]);
});

it('the neutral format says all of it', () => {
  const record = { type: 'tool_result', session_id: 's', call_id: 'c', denied: true };
  expect(denials(neutralAdapter, { ...record, reason: 'too slow' })).toEqual([
    { denied: true, reason: 'too slow' },
  ]);
  expect(denials(neutralAdapter, { ...record, by_rule: true })).toEqual([{ denied: true, byRule: true }]);
});
