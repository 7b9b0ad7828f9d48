import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSession, startSession, verifySession } from './folder.ts';
import { submit } from './steps.ts';
import { ASSESSMENTS, MATERIAL } from './testing/sample.ts';

const by = (who: string) => ({ who, now: () => new Date('2026-11-02T09:30:00Z') });

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'assay-blind-')), 'blind');
  startSession(folder, MATERIAL, by('coordinator'));
  submit(folder, by('ada'), 'assess', ASSESSMENTS.slice(0, 1));
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const FILES = ['blind.jsonl', 'head.json', 'material.sealed'];
const place = (name: string) => join(folder, name);
const bytes = () => FILES.map((name) => readFileSync(place(name), 'latin1'));

it('dates every entry by the clock that it is handed', () => {
  const dates = readSession(folder).entries.map(({ at }) => at);
  expect(dates).toEqual(['2026-11-02T09:30:00.000Z', '2026-11-02T09:30:00.000Z']);
});

describe('a chain that an editor or git saved again', () => {
  it.each([
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a line end more', (text: string) => `${text}\n`],
    ['no line end at the end', (text: string) => text.trimEnd()],
    ['all of it', (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`],
  ])('is intact and takes the next entry: %s', (_, edit) => {
    for (const name of FILES) writeFileSync(place(name), edit(readFileSync(place(name), 'utf8')));
    const { entries } = readSession(folder);
    expect(verifySession(folder)).toMatchObject({ intact: true, entries: 2, notes: [] });
    submit(folder, by('ada'), 'assess', ASSESSMENTS.slice(1));
    expect(verifySession(folder)).toMatchObject({ intact: true, entries: 4, notes: [] });
    expect(readSession(folder).entries.slice(0, 2)).toEqual(entries);
  });

  it('keeps what somebody wrote below it, and refuses to go on', () => {
    appendFileSync(place('blind.jsonl'), 'a note of mine');
    const before = bytes();
    expect(() => submit(folder, by('ada'), 'assess', ASSESSMENTS.slice(1))).toThrow(
      expect.objectContaining({ code: 'BLIND_TAMPERED' }),
    );
    expect(bytes()).toEqual(before);
  });

  it('is not taken for text where it holds bytes that are none', () => {
    startSession(place('other'), MATERIAL, by('a\uFFFDb'));
    const path = join(place('other'), 'blind.jsonl');
    const text = readFileSync(path, 'latin1');
    writeFileSync(path, text.replace('\xef\xbf\xbd', '\xff'), 'latin1');
    expect(verifySession(place('other'))).toMatchObject({ intact: false });
  });
});

describe('a write that is refused', () => {
  it('leaves every file as it was, with the write that never ended', () => {
    appendFileSync(place('blind.jsonl'), '{"seq":3,"at":');
    const before = bytes();
    // The head cannot be written, after the entries were.
    mkdirSync(place('head.json.new'));
    expect(() => submit(folder, by('ada'), 'assess', ASSESSMENTS.slice(1))).toThrow(
      expect.objectContaining({ code: 'OUTPUT_FAILED' }),
    );
    expect(bytes()).toEqual(before);
    rmSync(place('head.json.new'), { recursive: true });
    submit(folder, by('ada'), 'assess', ASSESSMENTS.slice(1));
    expect(verifySession(folder)).toMatchObject({ intact: true, entries: 4 });
  });

  it('does not leave half a start behind', () => {
    const other = place('other');
    mkdirSync(join(other, 'head.json.new'), { recursive: true });
    expect(() => startSession(other, MATERIAL, by('coordinator'))).toThrow();
    rmSync(join(other, 'head.json.new'), { recursive: true });
    startSession(other, MATERIAL, by('coordinator'));
    expect(verifySession(other)).toMatchObject({ intact: true, entries: 1 });
  });
});
