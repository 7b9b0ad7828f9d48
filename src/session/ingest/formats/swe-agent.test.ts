import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sweAgentAdapter } from './swe-agent.ts';
import { expectWellFormed, kindsOf, ofKind, readDocument } from './testing/read-events.ts';

const load = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const path = 'test/fixtures/session/swe-agent-step-limit/demo__calc-7.traj';
const document = load(path);
const read = readDocument(sweAgentAdapter, document, path);
const ended = (info: object) => readDocument(sweAgentAdapter, { ...document, info }, path);

describe('SWE-agent trajectories', () => {
  it('are one session, named after the file', () => {
    expectWellFormed(read);
    expect(ofKind(read, 'session')[0]).toMatchObject({
      sessionId: 'demo__calc-7',
      model: 'gpt-4o',
      provider: 'openai',
    });
  });

  it('named after the instance when they come from elsewhere', () => {
    expect(ofKind(readDocument(sweAgentAdapter, document, '-'), 'session')[0]?.sessionId).toBe(
      'demo__calc-7',
    );
  });

  it('begin with the task, not with the demonstration', () => {
    expect(ofKind(read, 'user').map(({ text }) => text)).toEqual(['Subtraction adds. Fix it.']);
  });

  it('give a reply, a call and a result per step, without a flag for success', () => {
    const step = ['reply', 'call', 'result'];
    expect(kindsOf(read)).toEqual(['user', ...step, ...step, ...step, ...step, 'reply', 'artifact', 'end']);
    expect(ofKind(read, 'result').every((result) => !('ok' in result))).toBe(true);
  });

  it('tell the commands of the interface from lines for the shell, with the file they work on', () => {
    expect(ofKind(read, 'call').map(({ tool, input }) => [tool, (input as { path?: string }).path])).toEqual([
      ['find_file', 'calc.py'],
      ['open', 'src/calc.py'],
      ['edit', '/repo/src/calc.py'],
      ['bash', undefined],
    ]);
  });

  it('declare tokens and cost for the whole session; zeros are unknown', () => {
    expect(ofKind(read, 'session')[1]).toMatchObject({
      usage: { input: 91000, output: 1200, cacheRead: 0, cacheWrite: 0 },
      costUsd: 3.02,
    });
    const zeros = {
      exit_status: 'submitted',
      model_stats: { instance_cost: 0, tokens_sent: 0, tokens_received: 0 },
    };
    expect(ofKind(ended(zeros), 'session')).toHaveLength(1);
  });

  it('say of a command that the interface stopped that it failed, and leave its prompt out of the output', () => {
    const observed = (observation: string) =>
      ofKind(
        readDocument(
          sweAgentAdapter,
          { ...document, trajectory: [{ action: 'pytest -q', observation, response: 'run' }] },
          path,
        ),
        'result',
      )[0];
    expect(observed('..\nEXECUTION TIMED OUT')).toMatchObject({ ok: false });
    expect(
      observed("The command 'pytest -q' was cancelled because it took more than 30 seconds."),
    ).toMatchObject({
      ok: false,
    });
    expect(observed('reads EXECUTION TIMED OUT in a log\n3 passed')?.ok).toBeUndefined();
    expect(observed('1 failed\n(Open file: /repo/a.py)\n(Current directory: /repo)\nbash-$')?.text).toBe(
      '1 failed',
    );
  });

  it.each([
    ['submitted', 'normal'],
    ['submitted (exit_cost)', 'limit'],
    ['exit_context', 'limit'],
    ['exit_total_execution_time', 'timeout'],
    ['submitted (exit_command_timeout)', 'timeout'],
    ['exit_forfeit', 'aborted'],
    ['exit_format', 'error'],
    ['exit_environment_error', 'error'],
    ['something else', 'unknown'],
  ])('end: %s is %s', (exit_status, reason) => {
    expect(ofKind(ended({ exit_status }), 'end').map((end) => end.reason)).toEqual([reason]);
  });

  it('leave a patch, an answer, or a submission that came to nothing', () => {
    const artifacts = (info: object) =>
      ofKind(ended(info), 'artifact').map(({ artifact, ok }) => [artifact, ok]);
    expect(artifacts({ exit_status: 'submitted', submission: '\ndiff --git a/x b/x' })).toEqual([
      ['file', true],
    ]);
    expect(artifacts({ exit_status: 'submitted', submission: 'flag{found}' })).toEqual([['answer', true]]);
    expect(artifacts({ exit_status: 'submitted', submission: null })).toEqual([['file', false]]);
    expect(artifacts({ exit_status: 'exit_cost', submission: null })).toEqual([]);
  });

  it('are read from the history when there is no trajectory', () => {
    const history = [
      { role: 'system', content: 'You fix issues.', agent: 'main' },
      { role: 'user', content: 'Fix it.', agent: 'main' },
      {
        role: 'assistant',
        content: 'I run it.',
        agent: 'main',
        action: 'python a.py',
        tool_calls: [{ id: 'c1', function: { name: 'bash', arguments: '{"command":"python a.py"}' } }],
      },
      { role: 'tool', content: '8.2', agent: 'main', tool_call_ids: ['c1'] },
    ];
    const old = readDocument(sweAgentAdapter, { history }, 'old.traj');
    expect(kindsOf(old)).toEqual(['user', 'reply', 'call', 'result']);
    expect(ofKind(old, 'call')[0]).toMatchObject({
      callId: 'c1',
      tool: 'bash',
      input: { command: 'python a.py' },
    });
  });
});

describe('mini-swe-agent trajectories', () => {
  const mini = 'test/fixtures/session/mini-swe-agent/demo.traj.json';
  const small = readDocument(sweAgentAdapter, load(mini), mini);

  it('state exit codes in the answer', () => {
    expect(ofKind(small, 'session')[0]).toMatchObject({ sessionId: 'demo', model: 'claude-sonnet-4' });
    expect(ofKind(small, 'call').map(({ input }) => input)).toEqual([
      { command: 'grep -rn oldname src' },
      { command: 'ls' },
    ]);
    expect(ofKind(small, 'result').map(({ ok }) => ok)).toEqual([false, true]);
    expect(ofKind(small, 'end').map(({ reason }) => reason)).toEqual(['limit']);
  });
});
