import { describe, expect, it } from 'vitest';
import { claudeCodeAdapter } from './claude-code/adapter.ts';
import { codexAdapter } from './codex/adapter.ts';
import { geminiAdapter } from './gemini.ts';
import { opencodeAdapter } from './opencode/adapter.ts';
import { ofKind, readDocument, readLines } from './testing/read-events.ts';

const DIFF = '--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n same\n-const before = 1;\n+const after = 2;\n';
const CHANGED = { added: ['const after = 2;'], removed: ['const before = 1;'], whole: false };

describe('a change of a file, as a format shows it in whole lines', () => {
  it('is read from the patch beside a result of Claude Code', () => {
    const common = { sessionId: 's', uuid: 'u', timestamp: '2026-03-01T10:00:00Z' };
    const structuredPatch = [{ lines: [' same', '-const before = 1;', '+const after = 2;'] }];
    const content = [
      {
        type: 'tool_use',
        id: 't',
        name: 'Edit',
        input: { file_path: '/a.ts', old_string: 'b', new_string: 'a' },
      },
    ];
    const result = { type: 'tool_result', tool_use_id: 't', content: 'ok' };
    const read = (more: object) =>
      readLines(claudeCodeAdapter, [
        { ...common, type: 'assistant', message: { id: 'm', role: 'assistant', content } },
        {
          ...common,
          uuid: 'v',
          type: 'user',
          message: { role: 'user', content: [{ ...result, ...more }] },
          toolUseResult: { filePath: '/a.ts', structuredPatch },
        },
      ]);
    expect(ofKind(read({}), 'file-change')).toMatchObject([{ callId: 't', path: '/a.ts', ...CHANGED }]);
    expect(ofKind(read({ is_error: true }), 'file-change')).toEqual([]);
  });

  it('is read from the end of a patch of Codex', () => {
    const changes = {
      '/a.ts': { type: 'update', unified_diff: DIFF.slice(DIFF.indexOf('@@')) },
      '/b.ts': { add: { content: 'const added = 3;' } },
    };
    const end = (success: boolean) => ({
      timestamp: '2026-03-01T10:00:00Z',
      type: 'event_msg',
      payload: { type: 'patch_apply_end', call_id: 'c', success, changes },
    });
    expect(ofKind(readLines(codexAdapter, [end(true)]), 'file-change')).toMatchObject([
      { callId: 'c', path: '/a.ts', ...CHANGED },
      { callId: 'c', path: '/b.ts', added: ['const added = 3;'], whole: true },
    ]);
    expect(ofKind(readLines(codexAdapter, [end(false)]), 'file-change')).toEqual([]);
  });

  it('is read from what Gemini shows of it', () => {
    const call = {
      id: 't',
      name: 'replace',
      args: { file_path: '/a.ts' },
      status: 'success',
      result: [],
      resultDisplay: { fileDiff: DIFF, fileName: 'a.ts' },
    };
    const document = {
      sessionId: 's',
      projectHash: 'p',
      messages: [{ id: 'm', type: 'gemini', content: 'Done.', toolCalls: [call] }],
    };
    expect(ofKind(readDocument(geminiAdapter, document), 'file-change')).toMatchObject([
      { path: '/a.ts', ...CHANGED },
    ]);
  });

  it('is read from the metadata of OpenCode', () => {
    const state = {
      status: 'completed',
      input: { filePath: '/a.ts' },
      output: 'ok',
      metadata: { diff: DIFF },
    };
    const message = {
      info: { id: 'm', role: 'assistant', sessionID: 's' },
      parts: [{ id: 'p', type: 'tool', callID: 'c', tool: 'edit', state }],
    };
    const document = { info: { id: 's', version: '1' }, messages: [message] };
    expect(ofKind(readDocument(opencodeAdapter, document), 'file-change')).toMatchObject([
      { path: '/a.ts', ...CHANGED },
    ]);
  });
});
