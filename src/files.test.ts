import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readApprovals } from './decomposition/approvals.ts';
import { readHistory } from './decomposition/history.ts';
import { readLedger } from './decomposition/prompts/ledger.ts';
import { isAbsent, listNames, readJson, readText } from './files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

it('reads text without the byte order mark', () => {
  writeFileSync(at('a.txt'), '\uFEFFhello');
  expect(readText(at('a.txt'))).toBe('hello');
});

it.each([
  ['a missing file', () => readText(at('none')), { code: 'FILE_NOT_FOUND' }],
  ['a folder', () => readText(folder), { code: 'FILE_EXPECTED' }],
  ['a file over the limit', () => readText(at('b.json'), 3), { code: 'FILE_TOO_LARGE' }],
  ['a path through a file', () => readText(at('b.json/c')), { code: 'FILE_NOT_FOUND' }],
  ['a missing folder', () => listNames(at('none'), ''), { code: 'FILE_NOT_FOUND' }],
  ['a file where a folder is needed', () => listNames(at('b.json'), ''), { code: 'FOLDER_EXPECTED' }],
] as const)('names the path and the remedy for %s', (_, read, expected) => {
  writeFileSync(at('b.json'), '{"a":1}');
  expect(read).toThrow(expect.objectContaining({ ...expected, message: expect.stringContaining(folder) }));
});

it.skipIf(process.getuid?.() === 0)('names a file it may not read (root may read everything)', () => {
  writeFileSync(at('secret'), 'x');
  chmodSync(at('secret'), 0);
  expect(() => readText(at('secret'))).toThrow(expect.objectContaining({ code: 'FILE_UNREADABLE' }));
});

it.each([
  ['{\n  "a": 1,\n  "b": oops\n}', 3],
  ['{\n  "a": 1\n  "b": 2\n}', 3],
  [`{\n  "a": "${'long '.repeat(50)}",\n  "b": [1, 2,\n oops ]\n}`, 4],
  ['{\n  "a": [1,\n', 3],
])('names the line at which JSON breaks, without quoting it: %j', (text, line) => {
  writeFileSync(at('c.json'), text);
  expect(() => readJson(at('c.json'))).toThrow(new RegExp(`c\\.json:${line} is not JSON: [^"]*$`));
});

it('lists names in the same order everywhere', () => {
  for (const name of ['b.json', 'a.json', 'c.txt']) writeFileSync(at(name), '');
  mkdirSync(at('z'));
  expect(listNames(folder, '.json')).toEqual(['a.json', 'b.json']);
});

it('takes a link that leads nowhere for something that cannot be read, not for nothing', () => {
  symlinkSync('/nowhere/at/all', at('link.json'));
  expect([isAbsent(at('none')), isAbsent(at('link.json'))]).toEqual([true, false]);
  const unread = expect.objectContaining({ code: 'FILE_NOT_FOUND' });
  expect(() => readHistory(at('link.json'))).toThrow(unread);
  expect(() => readApprovals(at('link.json'))).toThrow(unread);
  symlinkSync('/nowhere/at/all', at('ledger.jsonl'));
  expect(() => readLedger(folder)).toThrow(unread);
});

it('says that a name may be no UTF-8', () => {
  expect(() => readText(at('\uFFFD.json'))).toThrow('its name is not UTF-8');
});
