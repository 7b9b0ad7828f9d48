import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChainEntry, type Head, headOf, NOTHING, nextEntry, readChain, withLock } from './chain.ts';

function chainOf(payloads: readonly string[]): ChainEntry[] {
  let head: Head = NOTHING;
  return payloads.map((payload, index) => {
    const entry = nextEntry(head, { at: `time ${index}`, who: 'ada', step: 'assess', payload });
    head = { count: entry.seq, hash: entry.hash };
    return entry;
  });
}

const lines = (entries: readonly ChainEntry[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`);
const chain = chainOf(['one', 'two', 'three', 'four']);
const head = headOf(chain);
const faultOf = (changed: readonly string[], against = head) => readChain(changed.join(''), against).fault;

describe('a chain', () => {
  it('reads back what was written', () => {
    expect(readChain(lines(chain).join(''), head)).toMatchObject({ entries: chain, torn: 0 });
    expect(readChain('', NOTHING)).toEqual({ entries: [], torn: 0, end: 0 });
  });

  it('names an entry that was altered', () => {
    const changed = lines(chain).with(1, `${JSON.stringify({ ...chain[1], payload: 'else' })}\n`);
    expect(faultOf(changed)).toBe('line 2: entry 2 (assess of ada) was altered');
  });

  it('names an entry that was altered and given a new hash', () => {
    const forged = nextEntry(headOf(chain.slice(0, 1)), { ...(chain[1] as ChainEntry), payload: 'else' });
    expect(faultOf(lines(chain.with(1, forged)))).toBe(
      'line 3: entry 3 does not follow entry 2: one of the two was altered or inserted',
    );
  });

  it('names a last entry that was replaced', () => {
    const forged = nextEntry(headOf(chain.slice(0, 3)), { ...(chain[3] as ChainEntry), payload: 'else' });
    expect(faultOf(lines(chain.with(3, forged)))).toContain(
      'entry 4 is not the one the head of the chain names',
    );
  });

  it('names an entry that was removed', () => {
    expect(faultOf(lines(chain.toSpliced(1, 1)))).toBe('line 2: entry 2 removed; entry 3 follows entry 1');
    expect(faultOf(lines(chain.toSpliced(0, 2)))).toBe(
      'line 1: entries 1 to 2 removed; entry 3 follows entry 0',
    );
  });

  it('names an entry that was inserted', () => {
    expect(faultOf(lines(chain.toSpliced(2, 0, chain[1] as ChainEntry)))).toBe(
      'line 3: an entry numbered 2 was inserted after entry 2',
    );
  });

  it('sees a cut tail by its head', () => {
    expect(faultOf(lines(chain.slice(0, 3)))).toBe(
      'the last entry is missing: the chain ends at entry 3, its head says 4',
    );
    expect(faultOf([])).toContain('the last 4 entries are missing');
  });

  it('lets a write that never ended be, and counts its bytes', () => {
    const text = `${lines(chain).join('')}{"seq":5,"é`;
    expect(readChain(text, head)).toEqual({
      entries: chain,
      torn: Buffer.byteLength('{"seq":5,"é'),
      end: lines(chain).join('').length - 1,
    });
  });

  it.each([
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a line end more', (text: string) => `${text}\n`],
    ['several line ends more, as CRLF', (text: string) => `${text}\r\n\r\n`],
    ['no line end at the end', (text: string) => text.trimEnd()],
    ['all of it', (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}\n`],
  ])('is the same with %s, as an editor leaves it', (_, edit) => {
    const text = edit(lines(chain).join(''));
    const reading = readChain(text, head);
    expect(reading).toMatchObject({ entries: chain, torn: 0 });
    expect(reading.fault).toBeUndefined();
    expect(text.slice(reading.end).trim()).toBe('');
    expect(text.slice(0, reading.end).endsWith(JSON.stringify(chain.at(-1)))).toBe(true);
  });

  it.each(['a note of mine', '{"seq":9,"at":"', '{}', `${JSON.stringify({ ...chain[3], seq: 5 })}`])(
    'never takes what somebody put after the last entry for a write that was cut off: %s',
    (tail) => {
      expect(readChain(lines(chain).join('') + tail, head).fault).toBeDefined();
    },
  );

  it('accepts entries newer than the head: the head is written last', () => {
    expect(readChain(lines(chain).join(''), headOf(chain.slice(0, 2))).fault).toBeUndefined();
  });

  it('shows any edit of any kind', () => {
    const text = lines(chain).join('');
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.nat(40), fc.string({ maxLength: 12 }), (at, cut, put) => {
        const edited = text.slice(0, at) + put + text.slice(at + cut);
        const reading = readChain(edited, head);
        if (reading.fault === undefined) expect(reading.entries).toEqual(chain);
        // A beginning of entry 5 was never acknowledged, and line ends are not part of an entry.
        const counted = edited
          .slice(0, reading.end)
          .replace(/^\uFEFF/, '')
          .replaceAll('\r\n', '\n');
        fc.pre(counted !== text.trimEnd());
        expect(reading.fault).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('withLock', () => {
  it('holds the lock while it works and lets go after, also when the work fails', () => {
    expect(withLock(path, () => existsSync(path))).toBe(true);
    expect(existsSync(path)).toBe(false);
    expect(() =>
      withLock(path, () => {
        throw new Error('work failed');
      }),
    ).toThrow('work failed');
    expect(existsSync(path)).toBe(false);
  });

  it('waits only so long for a process that lives, and says which one holds it', () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname() }));
    expect(() => withLock(path, () => 'never', 50)).toThrow(
      expect.objectContaining({ code: 'BLIND_BUSY', message: expect.stringContaining(String(process.pid)) }),
    );
    expect(existsSync(path)).toBe(true);
  });
});
