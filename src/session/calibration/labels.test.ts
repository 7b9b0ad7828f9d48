import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { AssayError } from '../../errors.ts';
import { scanWork } from '../../testing/scan-work.ts';
import { ratingCsv } from '../views/rating-csv.ts';
import { parseCsv } from './csv.ts';
import {
  OUTCOME_WORDS,
  parseCosts,
  parseOutcomes,
  parseRatings,
  parseTaskTypes,
  ratingLabels,
  readOutcomes,
  readRatings,
  readTaskTypes,
} from './labels.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-labels-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const path = join(folder, 'labels');
  writeFileSync(path, text);
  return path;
}

describe('ids that CSV escaping changes', () => {
  it('are joined as they were before it', () => {
    const ids = ['=1', '+a', '-b', '@c', "'-d", "''=e", "'f", 'g', '＝h'];
    const rated = { rating: 4, author: '-ada', at: '2026-11-12T00:00:00.000Z' };
    const csv = ids
      .map((subjectId, i) =>
        ratingCsv({ subjectId, ...rated }, i === 0 ? undefined : 'session_id,session_key'),
      )
      .join('');
    const { labels } = parseRatings(csv, 'f');
    expect(labels.map(({ sessionId }) => sessionId)).toEqual(ids);
    expect(new Set(labels.map(({ author }) => author))).toEqual(new Set(['-ada']));
  });
});

describe('parseCsv', () => {
  it('looks at each character a few times, however many fields a line has', () => {
    const texts = [`a,b\n${','.repeat(3_000_000)}\n`, `a,b\n${'"x\ny",'.repeat(1_000_000)}\n`];
    for (const text of texts) {
      let rows = 0;
      const passed = scanWork(() => {
        rows = parseCsv(text, 'f').length;
      });
      expect(rows).toBe(2);
      expect(passed).toBeLessThan(3 * text.length);
    }
  });

  it('counts lines across quoted breaks and blank lines', () => {
    expect(parseCsv('a\n"1\n2"\n\nb', 'f').map((row) => row.line)).toEqual([1, 2, 5]);
  });

  it('refuses a quote that is never closed, with the line', () => {
    expect(() => parseCsv('a,b\n"c,d\n', 'f.csv')).toThrow('f.csv:2 is not valid CSV: Quote Not Closed');
  });
  it('reads back whatever was written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é') });
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { minLength: 1 }),
        fc.constantFrom('\n', '\r\n'),
        (rows, end) => {
          const text = rows.map((row) => row.map(quote).join(',')).join(end);
          expect(parseCsv(text, 'f').map((row) => row.fields)).toEqual(rows);
        },
      ),
    );
  });
});

describe('ratings', () => {
  it('come from CSV with a byte-order mark, CRLF, any column order and columns nobody asked for', () => {
    const text = '\uFEFFnote,Rating,extra,session_id,author\r\n"good, really",4,x,s1,ann\r\n,2.5,y,s2,\r\n';
    expect(parseRatings(text, 'r.csv')).toEqual({
      labels: [
        { sessionId: 's1', rating: 4, note: 'good, really', author: 'ann' },
        { sessionId: 's2', rating: 2.5 },
      ],
      blank: 0,
    });
  });

  it('come from JSON lines with the same keys', () => {
    const text = '{"session_id":"s1","rating":4,"note":"fine"}\n\n{"session_id":"s2","rating":"1"}\n';
    expect(parseRatings(text, 'r.jsonl').labels).toEqual([
      { sessionId: 's1', rating: 4, note: 'fine' },
      { sessionId: 's2', rating: 1 },
    ]);
  });

  it('brings ratings from 0 to 1 to those from 1 to 5', () => {
    const { labels } = parseRatings('session_id,rating\na,0\nb,0.5\nc,1\n', 'r.csv');
    expect(labels.map(({ rating }) => rating)).toEqual([1, 3, 5]);
    expect(parseRatings('session_id,rating\na,1\nb,1\n', 'r.csv').labels[0]?.rating).toBe(1);
  });

  it('keep several raters of one session, and the last word of each', () => {
    const text = 'session_id,rating,author\ns1,2,ann\ns1,4,bob\ns1,3,ann\ns1,5,\ns1,1,\n';
    const { labels } = parseRatings(text, 'r.csv');
    expect(labels.map((one) => [one.author, one.rating])).toEqual([
      ['bob', 4],
      ['ann', 3],
      [undefined, 5],
      [undefined, 1],
    ]);
    expect(ratingLabels(labels).get('s1')).toBeCloseTo((13 / 4 - 1) / 4, 12);
  });

  it('count rows that nobody has rated yet instead of failing', () => {
    expect(parseRatings('session_id,rating\ns1,\ns2,5\n', 'r.csv')).toEqual({
      labels: [{ sessionId: 's2', rating: 5 }],
      blank: 1,
    });
    expect(parseRatings('{"session_id":"s1","rating":null}', 'r').blank).toBe(1);
  });

  it.each(['0', '6', 'good', '0x4', '1e1', 'NaN'])('refuse %s with file and line', (value) => {
    expect(() => parseRatings(`session_id,rating\ns0,3\ns1,${value}\n`, 'r.csv')).toThrow(
      /^r\.csv:3: the rating/,
    );
  });
});

describe('outcomes', () => {
  it('may be numbers from 0 to 1 or documented words in any case', () => {
    const text = 'session_id,outcome\na,1\nb,0.25\nc,TRUE\nd,merged\ne,Closed\nf,fail\n';
    expect([...parseOutcomes(text, 'o.csv').labels.values()]).toEqual([1, 0.25, 1, 1, 0, 0]);
    expect([...parseOutcomes('{"session_id":"a","outcome":false}', 'o').labels]).toEqual([['a', 0]]);
    for (const value of Object.values(OUTCOME_WORDS)) expect([0, 0.5, 1]).toContain(value);
  });

  it.each(['2', '-0.1', 'maybe', '50%', 'constructor', '__proto__'])(
    'refuse %s and name what is allowed',
    (value) => {
      const failure = captured(() => parseOutcomes(`session_id,outcome\na,${value}\n`, 'o.csv'));
      expect(failure.message).toContain('o.csv:2: the outcome');
      expect(failure.remedy).toContain('merged');
    },
  );

  it('may be given twice when they agree, not when they differ', () => {
    expect(parseOutcomes('session_id,outcome\na,1\na,pass\n', 'o').labels.size).toBe(1);
    expect(() => parseOutcomes('session_id,outcome\na,1\nb,1\na,0\n', 'o.csv')).toThrow(
      'o.csv:4: the outcome of a is not the one of line 2',
    );
  });
});

describe('task types', () => {
  it('may be the six names or the words sources use for them', () => {
    const { labels } = parseTaskTypes('session_id,task_type\na,Coding\nb,support\n', 't');
    expect([...labels]).toEqual([
      ['a', 'coding'],
      ['b', 'chat'],
    ]);
    expect(() => parseTaskTypes('session_id,task_type\na,cooking\n', 't.csv')).toThrow('t.csv:2');
  });
});

describe('a file of labels', () => {
  it.each([
    ['', 'has no column session_id'],
    ['session_id\na\n', 'has no column rating'],
    ['rating\n3\n', 'has no column session_id, only rating'],
    ['session_id,rating,rating\na,1,2\n', 'has the column rating 2 times'],
    ['session_id,rating\na\n', 'has 1 fields where the header has 2'],
    ['session_id,rating\na,3,unquoted, comma\n', 'has 4 fields where the header has 2'],
    ['session_id,rating\n,3\n', 'has no session_id'],
    [`session_id,rating\n${'x'.repeat(2000)},3\n`, 'has a session_id of 2000 characters'],
    ['{"session_id":"a"}', 'has no rating'],
    ['{"session_id":"a","rating":[3]}', 'neither text, number nor true/false'],
    ['{"session_id":"a","rating":3}\n{oops', ':2 is not JSON'],
    ['{"session_id":"a","rating":3}\n[1]', ':2 is not a JSON object'],
  ])('%j is refused: %s', (text, message) => {
    expect(captured(() => parseRatings(text, 'r')).message).toContain(message);
  });

  it('with semicolons is told to use commas', () => {
    expect(captured(() => parseRatings('session_id;rating\na;3\n', 'r')).remedy).toContain(
      'commas instead of ";"',
    );
  });

  it('is read from disk, and its absence is an error of its own', () => {
    expect(readRatings(fileWith('session_id,rating\na,3\n'))).toHaveLength(1);
    expect(readOutcomes(fileWith('session_id,outcome\na,1\n')).get('a')).toBe(1);
    expect(readTaskTypes(fileWith('session_id,task_type\na,chat\n')).get('a')).toBe('chat');
    expect(captured(() => readOutcomes(join(folder, 'none'))).code).toBe('FILE_NOT_FOUND');
  });
});

function captured(run: () => unknown): AssayError {
  try {
    run();
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('costs', () => {
  it('are dollars by session, and nothing else', () => {
    expect(parseCosts('session_id,cost_usd\na,0.47\nb,0\nc,\n', 'bill.csv')).toEqual({
      labels: new Map([
        ['a', 0.47],
        ['b', 0],
      ]),
      blank: 1,
    });
    expect(() => parseCosts('session_id,cost_usd\na,-1\n', 'bill.csv')).toThrow(/bill\.csv:2/);
    expect(() => parseCosts('session_id,cost_usd\na,$3\n', 'bill.csv')).toThrow(/bill\.csv:2/);
    expect(() => parseCosts('session_id,cost\na,3\n', 'bill.csv')).toThrow(/cost_usd/);
  });
});
