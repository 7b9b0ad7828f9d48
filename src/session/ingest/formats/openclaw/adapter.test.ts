import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { regexWork } from '../../../../testing/regex-work.ts';
import type { Event } from '../../../event.ts';
import { detectFormat, loadFormats } from '../load-formats.ts';
import { openclawAdapter } from './adapter.ts';

const records = readFileSync('test/fixtures/session/openclaw-main/session.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line): unknown => JSON.parse(line));

function read(lines: readonly unknown[], path = '/h/.openclaw/agents/main/sessions/main-1.jsonl') {
  const state = openclawAdapter.start({ path });
  const events: Event[] = [];
  const unknown = lines.flatMap(
    (line, index) => openclawAdapter.step(state, line, index + 1, (e) => events.push(e)) ?? [],
  );
  return { state, events, unknown };
}

const ofKind = <K extends Event['kind']>(events: readonly Event[], kind: K) =>
  events.filter((event): event is Extract<Event, { kind: K }> => event.kind === kind);

const user = (text: string, more: object = {}) => ({
  type: 'message',
  timestamp: '2026-06-03T18:00:00.000Z',
  message: { role: 'user', content: text, ...more },
});
const call = (id: string, name: string, input: object) => ({
  type: 'message',
  message: { role: 'assistant', content: [{ type: 'toolCall', id, name, arguments: input }] },
});
const result = (id: string, name: string, more: object, text = '') => ({
  type: 'message',
  message: { role: 'toolResult', toolCallId: id, toolName: name, content: [{ type: 'text', text }], ...more },
});

const originOf = (text: string, more?: object) => ofKind(read([user(text, more)]).events, 'user')[0]?.origin;
const outcomeOf = (more: object, text = '') =>
  ofKind(read([result('c', 'exec', more, text)]).events, 'result')[0];

/** Also what cannot be turned into text, and what could be taken for a part of every object. */
const hostile = JSON.parse(
  '[{"toString":1,"valueOf":1},{"__proto__":{"type":"session"}},{"constructor":7,"length":-1}]',
);
const anything = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(...hostile, 1e308, -1, '', [], null));

describe('an OpenClaw transcript', () => {
  const { events, unknown } = read(records);

  it('tells its agent, and its model from the snapshot', () => {
    const session = Object.assign({}, ...ofKind(events, 'session'));
    expect(session).toMatchObject({
      sessionId: 'main-1',
      agent: 'main',
      model: 'big-model',
      provider: 'litellm',
    });
  });

  it('drops what the gateway wrote in the name of the model', () => {
    const texts = ofKind(events, 'reply').map(({ text }) => text);
    expect(texts.filter((text) => text === 'A helper is at it.')).toHaveLength(1);
  });

  it('gives the outcome of a background command to the call that started it', () => {
    const results = ofKind(events, 'result').map(({ callId, ok, running, line }) => [
      line,
      callId,
      running ?? ok,
    ]);
    expect(results).toEqual([
      [5, 'x1', true],
      [6, 'x2', false],
      [7, 'x3', true],
      [9, 'x1', false],
      [9, 'x4', true],
      [11, 's1', true],
    ]);
    expect(ofKind(events, 'result')[0]).toMatchObject({ running: true });
    expect(ofKind(events, 'result')[0]).not.toHaveProperty('ok');
  });

  it('follows a sub-agent from its call to its return, and believes the runtime, not the child', () => {
    expect(ofKind(events, 'spawn')).toEqual([
      expect.objectContaining({ spawnId: 's1', line: 10 }),
      expect.objectContaining({ spawnId: 's1', line: 14, ok: true, sessionId: 'child-1' }),
    ]);
  });

  it('tells people, heartbeats, reminders and the runtime apart', () => {
    expect(ofKind(events, 'user').map(({ origin }) => origin)).toEqual([
      'user',
      'runtime',
      'heartbeat',
      'cron',
    ]);
    expect(ofKind(events, 'user')[0]?.text).toBe('build the site');
  });

  it('shows a prompt that failed as a failed reply', () => {
    expect(ofKind(events, 'reply').at(-1)).toMatchObject({ stop: 'error', line: 19, text: '' });
  });

  it('knows a reset, and names what it does not know', () => {
    expect(unknown).toEqual(['compact']);
  });

  it('states no cost where the price was not known', () => {
    expect(ofKind(events, 'reply').some((reply) => reply.costUsd !== undefined)).toBe(false);
  });
});

describe('who speaks in OpenClaw', () => {
  it.each([
    ['Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.', 'heartbeat'],
    ['Check the inbox. If nothing is new, reply HEARTBEAT_OK.', 'heartbeat'],
    ['[Tue 2026-07-14 11:53 GMT+8] [OpenClaw heartbeat poll]', 'heartbeat'],
    ['[cron:1f2 Morning brief] Summarise the inbox', 'cron'],
    ['A scheduled reminder has been triggered. The reminder content is:\n\nferns', 'cron'],
    ['System: [2026-06-03 19:00:00 UTC] Cron: nightly done', 'cron'],
    ['System: [2026-06-03 19:00:00 UTC] Reminder: ferns\n\nRead HEARTBEAT.md if it exists', 'cron'],
    ['System: [2026-06-03 19:00:00 UTC] WhatsApp gateway connected', 'runtime'],
    ['[OpenClaw exec completion]', 'runtime'],
    ['[Thu 2026-07-16 15:44 UTC] [Subagent Context] You are running as a subagent (depth 1/1).', 'subagent'],
    ['[Subagent Context] Your prior run ended while waiting', 'runtime'],
    ['Pre-compaction memory flush. Store memories now.', 'runtime'],
    [
      'System: [2026-06-03 19:00:00 UTC] Node connected\n\n[Wed 2026-06-03 19:00 UTC] and now the tests',
      'user',
    ],
    ['What does [OpenClaw heartbeat poll] mean in my transcript?', 'user'],
    ['[urgent] the deploy failed', 'user'],
    ['', 'user'],
  ])('%j is %s', (text, origin) => {
    expect(originOf(text)).toBe(origin);
  });

  it('believes what newer versions say about the source', () => {
    expect(originOf('anything', { provenance: { kind: 'internal_system', sourceTool: 'heartbeat' } })).toBe(
      'heartbeat',
    );
    expect(originOf('anything', { provenance: { kind: 'internal_system', sourceTool: 'cron' } })).toBe(
      'cron',
    );
    expect(originOf('anything', { provenance: { kind: 'internal_system', sourceTool: 'exec' } })).toBe(
      'runtime',
    );
    expect(originOf('anything', { provenance: { kind: 'inter_session', sourceTool: 'sessions_send' } })).toBe(
      'subagent',
    );
    expect(
      originOf('anything', { provenance: { kind: 'inter_session', sourceTool: 'subagent_announce' } }),
    ).toBe('runtime');
    expect(originOf('anything', { provenance: { kind: 'external_user' } })).toBe('user');
  });

  it('takes an aborted reply for an interruption only where somebody could interrupt', () => {
    const aborted = (errorMessage: string) => ({
      type: 'message',
      message: { role: 'assistant', content: [], stopReason: 'aborted', errorMessage },
    });
    const interrupts = (lines: readonly unknown[]) => ofKind(read(lines).events, 'interrupt').length;
    expect(interrupts([user('go'), aborted('Request was aborted')])).toBe(1);
    expect(interrupts([user('go'), aborted('request timed out')])).toBe(0);
    expect(interrupts([user('[OpenClaw heartbeat poll]'), aborted('Request was aborted')])).toBe(0);
  });

  it('reads a heartbeat that was answered with a call', () => {
    const quiet = call('h', 'heartbeat_respond', { outcome: 'no_change', notify: false });
    const loud = call('h', 'heartbeat_respond', {
      outcome: 'needs_attention',
      notify: true,
      notificationText: 'Disk full',
    });
    expect(ofKind(read([quiet]).events, 'reply')[0]?.text).toBe('HEARTBEAT_OK');
    expect(ofKind(read([loud]).events, 'reply')[0]?.text).toBe('Disk full');
  });
});

describe('the truth about a tool of OpenClaw', () => {
  it.each([
    ['an error flag', { isError: true }, '', false],
    ['a status of error', { isError: false, details: { status: 'error' } }, '', false],
    ['a status of failed', { details: { status: 'failed' } }, '', false],
    ['an exit code', { isError: false, details: { status: 'completed', exitCode: 3 } }, '', false],
    ['an error in the details', { isError: false, details: { error: 'boom' } }, '', false],
    ['an exit code in the text', { isError: false }, 'x\n(Command exited with code 127)', false],
    ['an error document', {}, '{"status": "error", "tool": "read"}', false],
    ['a page that is not there', { isError: false, details: { status: 404 } }, '', false],
    [
      'an exit code of 0, whatever was printed',
      { details: { exitCode: 0 } },
      'log: (Command exited with code 1)',
      true,
    ],
    ['a completed status', { details: { status: 'completed' } }, '', true],
    ['the flag, when nothing else says anything', { isError: false }, 'fine', true],
    ['nothing at all', {}, 'fine', undefined],
  ])('%s decides', (_, more, text, ok) => {
    expect(outcomeOf(more, text)?.ok).toBe(ok);
  });

  it('is not known while a command runs or waits for approval', () => {
    expect(outcomeOf({ details: { status: 'running', sessionId: 'p' } })).toMatchObject({ running: true });
    expect(outcomeOf({ details: { status: 'approval-pending' } })).toMatchObject({ running: true });
  });

  it('is a refusal when the person said no', () => {
    const event = outcomeOf({ isError: true }, 'Exec denied (gateway id=1, user-denied): rm -rf x');
    expect(event).toMatchObject({ denied: true });
    expect(event).not.toHaveProperty('ok');
  });

  it('arrives in a notice, too', () => {
    const { events } = read([
      call('c', 'exec', { command: 'make' }),
      result('c', 'exec', { details: { status: 'running', sessionId: 'crisp-cloud' } }),
      user('System: [2026-03-19 02:53:55 UTC] Exec completed (crisp-cl, code 2) :: make: *** [all]\n\ngo on'),
    ]);
    expect(ofKind(events, 'result').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['c', undefined],
      ['c', false],
    ]);
    expect(ofKind(events, 'user')[0]).toMatchObject({ origin: 'user', text: 'go on' });
  });

  it('is nobody’s failure when the agent ends its own process', () => {
    const { events } = read([
      call('c', 'exec', { command: 'npm start' }),
      result('c', 'exec', { details: { status: 'running', sessionId: 'p1' } }),
      call('k', 'process', { action: 'kill', sessionId: 'p1' }),
      result('k', 'process', { details: { status: 'failed', sessionId: 'p1' } }),
    ]);
    expect(ofKind(events, 'result').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['c', undefined],
      ['k', true],
    ]);
  });

  it('blames a question about a process that is not there', () => {
    const { events } = read([
      call('k', 'process', { action: 'poll', sessionId: 'p9' }),
      result('k', 'process', { details: { status: 'failed' } }, 'No session found for p9'),
    ]);
    expect(ofKind(events, 'result')[0]?.ok).toBe(false);
  });
});

describe('sub-agents of OpenClaw', () => {
  const spawn = (id: string, label: string) => call(id, 'sessions_spawn', { task: 't', label });
  const returned = (label: string, status: string) =>
    user(
      `[Thu 2026-03-12 15:09 UTC] [System Message] [sessionId: child] A subagent task "${label}" just ${status}.`,
    );
  const spawns = (lines: readonly unknown[]) =>
    ofKind(read(lines).events, 'spawn').map(({ spawnId, ok }) => [spawnId, ok]);

  it.each([
    ['completed successfully', true],
    ['failed: out of memory', false],
    ['timed out', false],
    ['finished with unknown status', undefined],
  ])('that %s', (status, ok) => {
    expect(spawns([spawn('s', 'a'), returned('a', status)])).toEqual([
      ['s', undefined],
      ['s', ok],
    ]);
  });

  it('are matched by their label', () => {
    expect(spawns([spawn('s1', 'a'), spawn('s2', 'b'), returned('b', 'timed out')]).at(-1)).toEqual([
      's2',
      false,
    ]);
  });

  it('that were refused at once have failed', () => {
    const refused = result('s', 'sessions_spawn', { details: { status: 'forbidden' } });
    expect(spawns([spawn('s', 'a'), refused]).at(-1)).toEqual(['s', false]);
  });
});

describe('the OpenClaw reader', () => {
  const sample = (lines: readonly unknown[], path = 'x.jsonl') => ({ records: lines, document: false, path });
  const plain = [{ type: 'session', version: 3, id: 's', timestamp: '2026-06-03T18:00:00.000Z', cwd: '/' }];

  it('recognises its transcripts by what is in them', () => {
    expect(openclawAdapter.detect(sample(records))).toBe(true);
    expect(openclawAdapter.detect(sample([...plain, call('c', 'exec', {})]))).toBe(true);
    expect(openclawAdapter.detect(sample([{ type: 'custom', customType: 'model-snapshot' }]))).toBe(false);
  });

  it('leaves to pi what cannot be told apart, unless it lies in a folder of OpenClaw', async () => {
    const formatOf = async (path?: string) => detectFormat(sample(plain, path), await loadFormats())?.name;
    expect(await formatOf()).toBe('pi');
    expect(await formatOf('/h/.openclaw/agents/main/sessions/s.jsonl')).toBe('openclaw');
  });

  it('reads the same whether its state was stored in between or not', () => {
    let state = openclawAdapter.start({ path: '/h/.openclaw/agents/main/sessions/main-1.jsonl' });
    const events: Event[] = [];
    for (const [index, record] of records.entries()) {
      openclawAdapter.step(state, record, index + 1, (event) => events.push(event));
      state = JSON.parse(JSON.stringify(state));
    }
    expect(events).toEqual(read(records).events);
  });

  it('remembers only so many commands and sub-agents', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => [
      call(`c${index}`, 'exec', {}),
      result(`c${index}`, 'exec', { details: { status: 'running', sessionId: `p${index}` } }),
      call(`s${index}`, 'sessions_spawn', { task: 'x' }),
    ]).flat();
    expect(JSON.stringify(read(many).state).length).toBeLessThan(60_000);
  });

  it('tries no more patterns on a text that is made to keep it busy', () => {
    const texts = ['System: '.repeat(100_000), '['.repeat(500_000), 'A subagent task "'.repeat(50_000)];
    for (const text of texts) {
      const records = [user(text), user(`System: ${text}`), result('c', 'exec', {}, text)];
      expect(regexWork(() => read(records)).calls).toBeLessThan(100);
    }
  });

  it('never throws on mutated transcripts', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), anything, (which, where, value) => {
        const index = which % records.length;
        const lines = records.with(index, mutated(records[index], where, value));
        expect(read(lines).events.length).toBeGreaterThan(20);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never throws on texts of any kind', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'System: ',
        '\n\n',
        '[cron:',
        '[Internal task completion event]\n',
        'source: subagent\n',
        '```json\n',
      ),
      fc.constantFrom(
        'A subagent task "',
        '" failed',
        '[Subagent Context]',
        '(untrusted metadata):\n',
        'Exec completed (p',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        read([user(pieces.join('')), result('c', 'process', { details: {} }, pieces.join(''))]);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Replaces one field, anywhere in the record, by something else. */
function mutated(record: unknown, where: number, value: unknown): unknown {
  const copy: unknown = structuredClone(record);
  const places: [Record<string, unknown>, string][] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key]);
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const [node, key] = places[where % places.length] ?? [];
  if (node === undefined || key === undefined) return value;
  node[key] = value;
  return copy;
}
