import { expect, it } from 'vitest';
import { openLog } from './log.ts';

it('writes one line for each event, and no character that drives a terminal', () => {
  const lines: string[] = [];
  const log = openLog(
    'all',
    (line) => lines.push(line),
    () => new Date(0),
  );
  const why = 'a\u001b[2J\u009b2J\u202e\r\n{"level":"info"}';
  log('error', 'not stored', { why });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).toMatch(/^[\u0020-\u007e]+$/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', why });
});
