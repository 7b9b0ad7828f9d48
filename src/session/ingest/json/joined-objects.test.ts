import { describe, expect, it } from 'vitest';
import { hasSpreadObjects, joinedObjects, withJoinedObjects } from './joined-objects.ts';

const OBJECTS = [{ a: 1, b: { c: '}' } }, { d: ['{', {}] }];
const SPREAD = OBJECTS.map((one) => JSON.stringify(one, null, 2)).join('\n');

function recordsOf(text: string) {
  return text.split('\n').flatMap((line, index) => {
    if (line === '') return [];
    return [[index + 1, line.startsWith('{') ? JSON.parse(line) : line]];
  });
}

describe('objects that are spread over lines', () => {
  it('have a line each, with the number of the line on which they began', () => {
    expect(recordsOf(withJoinedObjects(SPREAD))).toEqual([
      [1, OBJECTS[0]],
      [7, OBJECTS[1]],
    ]);
  });

  it('are found among other lines, colours and the timestamps of a job', () => {
    const log = ['$ agent | jq .', ...SPREAD.split('\n').map((line) => `\u001b[1m${line}\u001b[0m`), 'done'];
    const stamped = log.map((line) => `2026-08-01T10:00:00.1234567Z ${line}`).join('\r\n');
    expect(recordsOf(withJoinedObjects(stamped)).map(([, record]) => record)).toEqual([
      '$ agent | jq .',
      ...OBJECTS,
      'done',
    ]);
  });

  it('are the same however the bytes are cut', async () => {
    const bytes = Buffer.from(`${SPREAD}\n`);
    async function* single() {
      for (const byte of bytes) yield Buffer.from([byte]);
    }
    const parts: Buffer[] = [];
    for await (const part of joinedObjects(single())) parts.push(part);
    expect(recordsOf(Buffer.concat(parts).toString())).toEqual(recordsOf(withJoinedObjects(SPREAD)));
  });

  it('are told from lines with an object each', () => {
    expect(hasSpreadObjects(Buffer.from(SPREAD))).toBe(true);
    expect(hasSpreadObjects(Buffer.from('{"a":1}\n{"b":{}}\n'))).toBe(false);
  });

  it('stay without an end when theirs is missing', () => {
    const torn = withJoinedObjects(SPREAD.slice(0, -4));
    expect(torn.endsWith('\n')).toBe(false);
    expect(JSON.parse(torn.slice(0, torn.indexOf('\n')))).toEqual(OBJECTS[0]);
  });
});
