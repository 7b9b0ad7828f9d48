import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { detectFormat, loadFormats } from './load-formats.ts';
import { neutralAdapter } from './neutral.ts';
import { NEUTRAL_RECORD, neutralJsonSchema } from './neutral-schema.ts';
import { expectWellFormed, kindsOf, ofKind, readLines, sessionsOf } from './testing/read-events.ts';

const page = readFileSync('docs/formats/neutral.md', 'utf8');
const example = (/```jsonl\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const read = readLines(neutralAdapter, example, 'release.jsonl');

describe('the neutral format', () => {
  it('is published as the JSON Schema that the code says', () => {
    const { $id, ...published } = JSON.parse(readFileSync('docs/formats/neutral.schema.json', 'utf8'));
    expect($id).toBe('urn:assay:schema:neutral');
    expect(published).toEqual(JSON.parse(JSON.stringify(neutralJsonSchema())));
    expect(published.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });

  it('has an example in the docs that fits the schema and shows every type', () => {
    for (const record of example) expect(NEUTRAL_RECORD.safeParse(record).error?.issues ?? []).toEqual([]);
    const shown = new Set(example.map(({ type }) => type));
    const types = neutralTypes();
    expect([...types].filter((type) => !shown.has(type))).toEqual(['interrupt']);
    for (const type of types) expect(page).toContain(`\`${type}\``);
  });

  it('reads the example of the docs to the last line', () => {
    expectWellFormed(read);
    expect(read.unknown).toEqual([]);
    expect(read.events).toHaveLength(example.length);
    expect(sessionsOf(read)).toEqual(['s-17']);
    expect(kindsOf(read)).toEqual(
      'user reply call result reply call result spawn compaction spawn artifact reply state-change user acceptance end'.split(
        ' ',
      ),
    );
  });

  it.each([
    ['a call without its id', { call_id: undefined }],
    ['a call that names its tool twice', { toolName: 'bash', parameters: {}, call_id: undefined }],
    ['a call that holds a call', { tool_call: { shellToolCall: { args: {} } } }],
    ['a result as others have it', { type: 'tool_result', value: 'x', id: 'c1', call_id: undefined }],
    ['a header with another id', { type: 'session', id: 'x' }],
  ])('is told from others also with %s in it', async (_, odd) => {
    const session_id = 's-1';
    const records = [
      { type: 'session', session_id, agent: 'bot' },
      { type: 'user', session_id, text: 'Please release it.' },
      { type: 'assistant', session_id, text: 'I run the tests.' },
      { type: 'tool_call', session_id, call_id: 'c1', tool: 'bash', ...odd },
      { type: 'end', session_id, reason: 'normal' },
    ].map((record) => JSON.parse(JSON.stringify(record)));
    for (const some of [records, [records[3], ...records]])
      expect(
        detectFormat({ records: some, document: false, path: 'a.jsonl' }, await loadFormats())?.name,
      ).toBe('neutral');
  });

  it('takes the project', () => {
    const events = readLines(neutralAdapter, [
      { type: 'session', session_id: 's', project: '/home/me/garden' },
    ]);
    expect(ofKind(events, 'session')[0]).toMatchObject({ project: '/home/me/garden' });
  });

  it('takes the line, the time, the tokens and the exit code', () => {
    expect(ofKind(read, 'end')[0]).toMatchObject({ line: 17, at: Date.UTC(2026, 2, 2, 9, 12, 40) });
    expect(ofKind(read, 'reply')[0]?.usage).toEqual({
      input: 1200,
      output: 40,
      cacheRead: 9000,
      cacheWrite: 0,
    });
    expect(ofKind(read, 'result').map(({ ok }) => ok)).toEqual([false, true]);
  });

  it('keeps sessions apart that are mixed in one file, and names those without an id after the file', () => {
    const mixed = readLines(
      neutralAdapter,
      [
        { type: 'user', text: 'a' },
        { type: 'session', session_id: 'one' },
        { type: 'user', text: 'b' },
        { type: 'user', text: 'c', session_id: 'two' },
        { type: 'user', text: 'd' },
      ],
      'logs/mine.jsonl.gz',
    );
    expect(ofKind(mixed, 'user').map((event) => ('session' in event ? event.session : ''))).toEqual([
      'mine',
      'one',
      'two',
      'one',
    ]);
  });

  it('leaves out wrong fields and keeps the rest of the line', () => {
    const kind = readLines(neutralAdapter, [
      { type: 'assistant', text: 'hi', tokens: { input: -4, output: 'x' }, cost_usd: 'free', stop: 'later' },
    ]);
    expect(kind.events).toEqual([{ kind: 'reply', text: 'hi', line: 1, session: 'sample' }]);
  });

  it('counts what it cannot use', () => {
    const { unknown, events } = readLines(neutralAdapter, [
      {},
      { type: 'tool_call', tool: 'x' },
      { type: 'photo' },
    ]);
    expect(unknown).toEqual(['record', 'tool_call (incomplete)', 'photo']);
    expect(events).toEqual([]);
  });
});

function neutralTypes(): Set<string> {
  return new Set(
    NEUTRAL_RECORD.options.flatMap(({ shape }) =>
      'values' in shape.type ? [...shape.type.values].map(String) : shape.type.options,
    ),
  );
}
