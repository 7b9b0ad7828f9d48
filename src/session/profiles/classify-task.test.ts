import { describe, expect, it } from 'vitest';
import { runWith } from '../example-session.ts';
import { classifyTask, declaredTaskType } from './classify-task.ts';
import type { TaskType } from './task-type.ts';

const file = { artifact: 'file', made: 2, failed: 0, lines: [] } as const;
const pullRequest = { artifact: 'pull-request', made: 1, failed: 0, lines: [] } as const;
const wrote = { artifacts: [file], changesAttempted: 2 } as const;

describe('the task type', () => {
  it.each<[string, Parameters<typeof runWith>[0], TaskType]>([
    ['a heartbeat', { trigger: 'heartbeat', toolKinds: { shell: 3 } }, 'heartbeat'],
    ['a scheduled check', { trigger: 'cron', toolKinds: { shell: 3 } }, 'operations'],
    ['a scheduled run that opens a pull request', { trigger: 'cron', artifacts: [pullRequest] }, 'coding'],
    [
      'a scheduled report from the web',
      { trigger: 'cron', requestTraits: ['research-words'], toolKinds: { web: 5 } },
      'research',
    ],
    ['files written after commands', { ...wrote, toolKinds: { write: 2, shell: 4 } }, 'coding'],
    [
      'a plan for code',
      { requestTraits: ['plan-request', 'code-words', 'code-request'], toolKinds: { read: 3, plan: 2 } },
      'research',
    ],
    [
      'a cause found with commands',
      { requestTraits: ['explain-request', 'code-words', 'operations-words'], toolKinds: { shell: 4 } },
      'research',
    ],
    [
      'a cause found and mended',
      { requestTraits: ['explain-request', 'code-words'], ...wrote, toolKinds: { write: 2, shell: 4 } },
      'coding',
    ],
    [
      'an explanation for which an edit was denied',
      {
        requestTraits: ['explain-request'],
        toolKinds: { read: 1, write: 0 },
        tools: { calls: 2, denied: 1 },
      },
      'research',
    ],
    [
      'a request to write code that came to nothing',
      { requestTraits: ['code-words', 'code-request'], toolKinds: { read: 1 }, tools: { calls: 1 } },
      'coding',
    ],
    ['code asked for and given in words', { requestTraits: ['code-words', 'code-request'] }, 'chat'],
    ['an order met by a command', { requestTraits: ['short'], toolKinds: { shell: 1 } }, 'operations'],
    ['a question answered from the web', { requestTraits: ['question'], toolKinds: { web: 2 } }, 'research'],
    [
      'a proposal written down',
      { requestTraits: ['creative-words'], ...wrote, toolKinds: { write: 1 } },
      'discovery',
    ],
    [
      'a long brainstorm without tools',
      { requestTraits: ['creative-words'], finalReplyChars: 3000 },
      'discovery',
    ],
    [
      'a study of the web, written down',
      { requestTraits: ['research-words'], ...wrote, toolKinds: { web: 8, write: 1 } },
      'research',
    ],
    [
      'customer service that changes an order',
      { turns: 6, toolKinds: { read: 4, record: 1 }, requestTraits: ['operations-words'] },
      'chat',
    ],
    [
      'a heartbeat prompt that a schedule sends',
      { trigger: 'cron', requestTraits: ['heartbeat-words'] },
      'heartbeat',
    ],
    [
      'a heartbeat prompt in a chat, acknowledged',
      { requestTraits: ['heartbeat-words'], finalReply: 'heartbeat-ok' },
      'heartbeat',
    ],
    ['a person who asks about heartbeats', { requestTraits: ['heartbeat-words'] }, 'chat'],
    [
      'ideas that a schedule asks for, written down',
      { trigger: 'cron', requestTraits: ['creative-words'], ...wrote, toolKinds: { web: 1, write: 1 } },
      'discovery',
    ],
    [
      'a request about running systems, met by commands and one edit',
      { requestTraits: ['operations-words'], ...wrote, toolKinds: { shell: 4, write: 1 } },
      'operations',
    ],
    [
      'the same request about code',
      { requestTraits: ['operations-words', 'code-words'], ...wrote, toolKinds: { shell: 4, write: 1 } },
      'coding',
    ],
    [
      'a ticket worked without anybody to talk to',
      { trigger: 'unknown', turns: 0, toolKinds: { read: 5, record: 3 }, changesAttempted: 3 },
      'operations',
    ],
    [
      'a puzzle answered by commands that changed nothing',
      {
        requestTraits: ['code-words'],
        toolKinds: { shell: 6 },
        artifacts: [{ artifact: 'answer', made: 1, failed: 0, lines: [] }],
      },
      'research',
    ],
    [
      'a sub-agent that searches the code',
      { trigger: 'subagent', requestTraits: ['code-words'], toolKinds: { shell: 2, read: 4 } },
      'research',
    ],
    ['a question about code without tools', { requestTraits: ['question', 'code-words'] }, 'chat'],
    ['a scheduled report that writes a log file', { trigger: 'cron', ...wrote }, 'operations'],
    [
      'a code request with commands only',
      { requestTraits: ['code-words'], toolKinds: { shell: 6 } },
      'coding',
    ],
    [
      'a question answered by reading',
      { requestTraits: ['question', 'code-words'], toolKinds: { read: 6 } },
      'research',
    ],
    ['a reminder set', { toolKinds: { cron: 1 }, changesAttempted: 1 }, 'operations'],
    ['customer service that only looks up', { turns: 6, toolKinds: { read: 5 } }, 'chat'],
    ['an errand in one go', { toolKinds: { message: 1 }, changesAttempted: 1 }, 'operations'],
    ['a plain question', { requestTraits: ['question'] }, 'chat'],
  ])('of %s', (_, fields, expected) => {
    expect(classifyTask(runWith(fields)).taskType).toBe(expected);
  });

  it('is what the person says, then what the source declares, then what the rules find', () => {
    const run = runWith({ trigger: 'cron' });
    expect(classifyTask(run, { override: 'chat', declared: 'coding' })).toEqual({
      taskType: 'chat',
      reason: 'set by you',
    });
    expect(classifyTask(run, { declared: 'Research/Analysis' })).toEqual({
      taskType: 'research',
      reason: 'the source declares it',
    });
    expect(classifyTask(run, { declared: 'no such type' }).taskType).toBe('operations');
  });

  it('is not led astray by names of the prototype', () => {
    expect(declaredTaskType('constructor')).toBeUndefined();
    expect(declaredTaskType('__proto__')).toBeUndefined();
  });
});
