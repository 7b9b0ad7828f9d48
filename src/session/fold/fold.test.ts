import { describe, expect, it } from 'vitest';
import { finish, startFold, step } from './fold.ts';
import {
  call,
  did,
  type EventInput,
  factsOfEvents,
  ran,
  reply,
  result,
  runOf,
  runsOf,
  user,
} from './testing/fold-events.ts';

const usage = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite: 0 });

describe('runs', () => {
  it('begin when the session was told of where nothing in them has a time', () => {
    const began = (saidAt?: number) => {
      const state = startFold('test');
      step(state, { kind: 'session', agent: 'a', line: 1, at: 5 });
      step(state, { kind: 'user', origin: 'user', text: 'go', line: 2, ...(saidAt && { at: saidAt }) });
      return finish(state, 'nameless')?.runs.map(({ startedAt }) => startedAt);
    };
    expect(began()).toEqual([5]);
    expect(began(9)).toEqual([9]);
  });

  it('keep a conversation together, with one turn per message of the person', () => {
    const run = runOf(user('fix the bug'), reply('done'), user('and the test?'), reply('done too'));
    expect(run).toMatchObject({
      trigger: 'user',
      turns: 2,
      replies: 2,
      firstLine: 1,
      lastLine: 4,
      end: 'normal',
    });
  });

  it('begin anew with each heartbeat and each cron event, and when the kind of trigger changes', () => {
    const runs = runsOf(
      user('hello'),
      reply('hi'),
      user('poll', 'heartbeat'),
      reply('HEARTBEAT_OK'),
      user('poll', 'heartbeat'),
      reply('HEARTBEAT_OK'),
      user('daily report', 'cron'),
      reply('sent'),
      user('thanks'),
      reply('welcome'),
    );
    expect(runs.map(({ trigger, finalReply }) => `${trigger} ${finalReply}`)).toEqual([
      'user text',
      'heartbeat heartbeat-ok',
      'heartbeat heartbeat-ok',
      'cron text',
      'user text',
    ]);
  });

  it('are not begun, nor lengthened by a turn, by what the program itself says', () => {
    const run = runOf(user('go'), reply('working'), user('reminder', 'runtime'), reply('done'));
    expect(run).toMatchObject({ turns: 1, replies: 2 });
  });

  it('take a greeting before the first message as their own', () => {
    expect(runOf(reply('Hi! How can I help?'), user('cancel it'), reply('done'))).toMatchObject({
      trigger: 'user',
      firstLine: 1,
      replies: 2,
    });
  });

  it('are of unknown origin when work precedes any trigger, or of the declared one', () => {
    expect(runsOf(...did('Read', { file_path: 'a' }, true), user('and?'))[0]?.trigger).toBe('unknown');
    const facts = factsOfEvents(
      { kind: 'session', trigger: 'cron' },
      reply('x'),
      user('check the mail'),
      reply('y'),
    );
    expect(facts.runs.map((run) => run.trigger)).toEqual(['cron']);
  });

  it('take the first message of a declared cron session for its trigger, and later ones for a person', () => {
    const facts = factsOfEvents(
      { kind: 'session', trigger: 'cron' },
      user('check the mail'),
      reply('checked'),
      user('what did you find?'),
      reply('nothing'),
    );
    expect(facts.runs.map((run) => run.trigger)).toEqual(['cron', 'user']);
  });
});

describe('messages', () => {
  it('that come in several records count once, with the usage of the last, also when others come between', () => {
    const run = runOf(
      user('go'),
      reply('a', { messageId: 'm1', model: 'big', usage: usage(10, 1) }),
      reply('b', { messageId: 'm2', model: 'big', usage: usage(20, 2) }),
      reply('', { messageId: 'm1', model: 'big', usage: usage(10, 7), costUsd: 0.5 }),
    );
    expect(run.replies).toBe(2);
    expect(run.models).toEqual([
      {
        model: 'big',
        messages: 2,
        usage: usage(30, 9),
        messagesWithoutUsage: 0,
        costUsd: 0.5,
        unpriced: { messages: 1, messagesWithoutUsage: 0, usage: usage(20, 2) },
      },
    ]);
  });

  it('without tokens, or with none but zeros, are counted as such', () => {
    const run = runOf(
      user('go'),
      reply('a', { usage: usage(0, 0) }),
      reply('b'),
      reply('c', { usage: usage(1, 1) }),
    );
    expect(run.models).toEqual([
      { model: 'unknown', messages: 3, usage: usage(1, 1), messagesWithoutUsage: 2 },
    ]);
  });

  it('that name another model in a later record move to it as a whole', () => {
    const run = runOf(
      user('go'),
      reply('a', { messageId: 'm', model: 'first', usage: usage(5, 5) }),
      reply('a', { messageId: 'm', model: 'second', usage: usage(6, 6) }),
    );
    expect(run.models).toEqual([
      { model: 'second', messages: 1, usage: usage(6, 6), messagesWithoutUsage: 0 },
    ]);
  });

  it('add up what is kept for an hour, and forget it when the message turns out to have none', () => {
    const kept = (hour: number) => ({ ...usage(1, 1), cacheWrite: 9, cacheWriteHour: hour });
    const some = [
      reply('a', { messageId: 'm1', usage: kept(3) }),
      reply('b', { messageId: 'm2', usage: kept(40) }),
    ];
    expect(runOf(user('do it'), ...some).models[0]?.usage).toEqual({
      ...usage(2, 2),
      cacheWrite: 18,
      // The 1-hour part cannot exceed all cache writes.
      cacheWriteHour: 12,
    });
    const none = [
      reply('', { messageId: 'm1', usage: usage(1, 1) }),
      reply('', { messageId: 'm2', usage: usage(1, 1) }),
    ];
    expect(runOf(user('do it'), ...some, ...none).models[0]?.usage).toEqual(usage(2, 2));
  });

  it('join their texts: a token and a short remark in two records are one acknowledgement', () => {
    const run = runOf(
      user('poll', 'heartbeat'),
      reply('All quiet today.', { messageId: 'm' }),
      reply('HEARTBEAT_OK', { messageId: 'm' }),
    );
    expect(run).toMatchObject({ finalReply: 'heartbeat-ok', finalReplyChars: 28, outputChars: 28 });
  });
});

describe('tool calls', () => {
  it('are counted by outcome, and those without a result are unknown', () => {
    const run = runOf(
      user('go'),
      ...ran('ls', true),
      ...ran('cat x', false),
      call('d', 'Edit', { file_path: 'a' }),
      result('d', { denied: true }),
      call('open', 'Read'),
    );
    expect(run.tools).toMatchObject({
      calls: 4,
      succeeded: 1,
      failed: 1,
      denied: 1,
      unknown: 1,
      failedLines: [5],
      deniedLines: [7],
    });
    expect(run).toMatchObject({ end: 'open', changesAttempted: 0 });
  });

  it('that are said to be running stay open until the result comes', () => {
    const run = runOf(
      user('go'),
      call('a', 'exec', { command: 'make' }),
      result('a', { running: true }),
      result('a', { ok: true }),
    );
    expect(run.tools).toMatchObject({ calls: 1, succeeded: 1, unknown: 0 });
  });

  it('written twice are one call; an id used again for something else is another', () => {
    const [made, got] = did('Read', { file_path: 'a' }, true);
    const again = call(made.callId, 'Read', { file_path: 'b' });
    expect(runOf(user('go'), made, got, made, got, again, got).tools).toMatchObject({
      calls: 2,
      succeeded: 2,
    });
  });

  it('count as first attempts unless they repeat a failed one on the same target', () => {
    const run = runOf(
      user('go'),
      ...did('Edit', { file_path: 'a', old: '1' }, false),
      ...did('Edit', { file_path: 'a', old: '2' }, true),
      ...did('Edit', { file_path: 'b' }, true),
    );
    expect(run.tools).toMatchObject({ succeeded: 2, firstAttemptSuccesses: 1 });
    expect(run.loops).toMatchObject({ recovered: 0, persistent: 0 });
  });

  it('that fail side by side are one attempt that failed, whatever they were for', () => {
    const pairs = ['a', 'b', 'c', 'd'].map((path) => did('Read', { file_path: path }, false));
    const batch = [...pairs.map(([call]) => call), ...pairs.map(([, result]) => result)];
    const fine = did('Read', { file_path: 'e' }, true);
    expect(runOf(user('go'), ...batch, ...fine).tools).toMatchObject({ failed: 4, failedAttempts: 1 });
    const later = did('Read', { file_path: 'f' }, false);
    expect(runOf(user('go'), ...batch, ...later).tools).toMatchObject({ failed: 5, failedAttempts: 2 });
    expect(runOf(user('go'), ...pairs.flat()).tools.failedAttempts).toBeUndefined();
  });

  it('made side by side are no retries of each other', () => {
    const [first, failed] = did('Edit', { file_path: 'a', old: '1' }, false);
    const [second, fine] = did('Edit', { file_path: 'a', old: '2' }, true);
    expect(runOf(user('go'), first, second, failed, fine).tools.firstAttemptSuccesses).toBe(1);
  });

  it('that fail twice on one target are a loop: recovered by a success, else persistent', () => {
    const run = runOf(
      user('go'),
      ...ran('npm test', false),
      ...ran('cd app && npm test -- --run', false),
      ...ran('npm test', true),
      ...did('WebFetch', { url: 'https://x' }, false),
      ...did('WebFetch', { url: 'https://x' }, false),
      ...did('WebFetch', { url: 'https://y' }, true),
    );
    expect(run.loops).toEqual({
      ...{ recovered: 1, persistent: 1, persistentLine: 11 },
      ...{ longestRepeat: 2, lines: [5, 11] },
    });
  });

  it('repeated without change are measured by the longest row; asking whether something is done is none', () => {
    const same = { file_path: 'a' };
    const poll = ['p', 'q', 'r', 's'].map((id) => call(id, 'process', { action: 'poll' }));
    const run = runOf(user('go'), ...[1, 2, 3].flatMap(() => did('Read', same, true)), ...poll);
    expect(run.loops).toMatchObject({ longestRepeat: 3, lines: [6] });
  });

  it('that start sub-agents count as such unless the format reports sub-agents itself', () => {
    const task = did('Task', { prompt: 'look' }, true);
    expect(runOf(user('go'), ...task)).toMatchObject({ spawned: 1, spawnsCompleted: 1 });
    const run = runOf(
      user('go'),
      ...task,
      { kind: 'spawn', spawnId: 's' },
      { kind: 'spawn', spawnId: 's', ok: false },
      { kind: 'spawn', spawnId: 's', ok: true },
      { kind: 'spawn', spawnId: 't', ok: false },
    );
    expect(run).toMatchObject({ spawned: 2, spawnsCompleted: 1, spawnsFailed: 1 });
  });
});

describe('what a run left behind', () => {
  it('is read from what its calls did', () => {
    const run = runOf(
      user('go'),
      ...did('Write', { file_path: 'a' }, true),
      ...did('Edit', { file_path: 'b' }, false),
      ...ran('git add . && git commit -m "x" && gh pr create --fill', true),
      ...did('mcp__linear__create_issue', { title: 'x' }, true),
      ...did('send_email', { to: 'x' }, true),
      ...did('cron', { action: 'add' }, true),
      ...did('get_order_details', { order_id: '1' }, true),
    );
    expect(run.artifacts.map(({ artifact, made, failed }) => `${artifact} ${made}/${failed}`)).toEqual([
      'file 1/1',
      'commit 1/0',
      'pull-request 1/0',
      'issue 1/0',
      'message 1/0',
      'cron 1/0',
    ]);
    expect(run).toMatchObject({ changesAttempted: 6, changesFailed: 1 });
    expect(run.stateChange).toEqual({ value: 1, what: 'pull request opened', line: 7 });
  });

  it('counts a pull request once that a call shows and the format states', () => {
    const run = runOf(user('go'), ...ran('gh pr create', true), {
      kind: 'artifact',
      artifact: 'pull-request',
      ok: true,
    });
    expect(run.artifacts).toMatchObject([{ artifact: 'pull-request', made: 1 }]);
  });

  it('holds as the last tests say', () => {
    const edit = did('Edit', { file_path: 'a.ts' }, true);
    const said = (...events: readonly EventInput[]) => runOf(user('go'), ...events, reply('so')).stateChange;
    expect(said(...edit, ...ran('npm test', false), ...ran('npm test', true))).toMatchObject({ value: 1 });
    expect(said(...edit, ...ran('npm test', true), ...ran('npm test', false))).toMatchObject({ value: 0 });
    expect(said(...edit, ...ran('go test ./... | tail', true, '--- FAIL: TestX'))).toMatchObject({
      value: 0,
    });
  });

  it('is firm once merged, whatever the tests say later', () => {
    const run = runOf(user('go'), ...ran('gh pr merge 3', true), ...ran('npm test', false));
    expect(run.stateChange).toMatchObject({ value: 1, what: 'pull request merged' });
  });

  it('is the share of record changes that went through in the end', () => {
    const book = (id: string, ok: boolean) => did('book_reservation', { user_id: id }, ok);
    const said = (...events: readonly EventInput[]) =>
      runOf(user('go'), ...events, reply('ok')).stateChange?.value;
    expect(said(...book('1', false), ...book('1', true))).toBe(1);
    expect(said(...book('1', true), ...book('2', false))).toBe(0.5);
    expect(said(...book('1', false))).toBe(0);
  });

  it('is half done when the run then fails, refuses or hands off', () => {
    const change = did('cancel_order', { order_id: '1' }, true);
    const said = (...events: readonly EventInput[]) => runOf(user('go'), ...change, ...events);
    for (const run of [
      said(reply('', { stop: 'error' })),
      said(reply("I'm sorry, but I can't help with that.")),
      said(...did('transfer_to_human_agents', {}, true), reply('One moment.')),
      said(reply('so'), { kind: 'end', reason: 'limit' }),
    ]) {
      expect(run.stateChange).toMatchObject({ value: 0, what: 'left half done' });
    }
    expect(said(reply('done')).stateChange?.value).toBe(1);
  });
});

describe('the end of a run', () => {
  const open = call('open', 'Bash', { command: 'sleep 9' });
  it.each([
    ['a reply', [reply('done')], 'normal'],
    ['an empty reply that says it is the end', [reply('', { stop: 'end' })], 'normal'],
    ['a call in the same record as the last words', [open, { ...reply('so'), line: 2 }], 'open'],
    [
      'words after a call that goes on in the background',
      [open, result('open', { running: true }), reply('started')],
      'normal',
    ],
    [
      'a background result that comes after the last words',
      [open, result('open', { running: true }), reply('started'), result('open', { ok: true })],
      'normal',
    ],
    ['a call without result', [reply('so'), open], 'open'],
    ['a result that came well', ran('ls', true), 'open'],
    ['a result that failed', ran('ls', false), 'cut-off'],
    ['a message that is not answered yet', [reply('so'), user('and now this')], 'open'],
    ['nothing at all after the first message', [], 'cut-off'],
    ['an interruption', [reply('so'), { kind: 'interrupt' as const }], 'aborted'],
    ['a call that was forbidden', [open, result('open', { denied: true })], 'aborted'],
    ['an error', [reply('oh', { stop: 'error' })], 'error'],
    ['a reply that was cut', [reply('and then', { stop: 'length' })], 'limit'],
    ['a tool that says it is finished', did('submit', {}, true), 'normal'],
    ['a hand-off', [...did('transfer_to_human', {}, true), reply('Goodbye.')], 'handoff'],
    ['what the runtime states', [open, { kind: 'end' as const, reason: 'timeout' as const }], 'timeout'],
    [
      'a normal end that was a hand-off',
      [...did('transfer_to_human', {}, true), { kind: 'end' as const, reason: 'normal' as const }],
      'handoff',
    ],
    ['an adapter that says it goes on', [open, { kind: 'end' as const, reason: 'open' as const }], 'open'],
  ])('after %s', (_, events, end) => {
    expect(runOf(user('go'), ...events).end).toBe(end);
  });

  it('stated in the middle is forgotten when the conversation goes on', () => {
    const run = runOf(
      user('go'),
      reply('x'),
      { kind: 'end', reason: 'error' },
      user('again please'),
      reply('done'),
    );
    expect(run.end).toBe('normal');
  });
});

describe('a session', () => {
  it('of which nothing was seen has no facts, but declared totals are kept', () => {
    const state = startFold('test');
    step(state, { kind: 'session', sessionId: 's', line: 1 });
    expect(finish(state, 'x')).toBeUndefined();
    step(state, { kind: 'session', costUsd: 2, usage: usage(1, 2), line: 2 });
    expect(finish(state, 'x')).toMatchObject({
      sessionId: 's',
      declaredCostUsd: 2,
      declaredUsage: usage(1, 2),
      runs: [],
    });
  });

  it('that could not even begin is a run with its reason', () => {
    expect(runOf({ kind: 'end', reason: 'error' })).toMatchObject({
      end: 'error',
      replies: 0,
      finalReply: 'empty',
    });
  });

  it('keeps where its compactions were', () => {
    expect(runOf(user('go'), { kind: 'compaction' }, reply('x'), { kind: 'compaction' })).toMatchObject({
      compactions: 2,
      compactionLines: [2, 4],
    });
  });
});
