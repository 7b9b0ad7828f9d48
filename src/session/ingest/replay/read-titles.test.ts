import { describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/temp-folder.ts';
import { readTitles } from './read-titles.ts';

const folder = tempFolder();

function said(sessionId: string, text: string): string {
  const message = { role: 'user', content: text };
  return `${JSON.stringify({ type: 'user', sessionId, uuid: `${sessionId}-${text.length}`, message })}\n`;
}

describe('what was asked in the sessions of a file', () => {
  it('is the first thing that a person said, a bare command only where nothing follows', async () => {
    const file = folder.write(
      'a.jsonl',
      said('a', '/mode') + said('a', 'Fix the parser') + said('a', 'Now the lexer'),
    );
    expect(await readTitles(file, ['a'], {})).toEqual(new Map([['a', 'Fix the parser']]));
    const alone = folder.write('b.jsonl', said('b', '/review'));
    expect(await readTitles(alone, ['b'], {})).toEqual(new Map([['b', '/review']]));
  });

  it('is told of each session of a file that several share', async () => {
    const file = folder.write('two.jsonl', said('x', 'Ask of x') + said('y', 'Ask of y'));
    expect(Object.fromEntries(await readTitles(file, ['y', 'x'], {}))).toEqual({
      x: 'Ask of x',
      y: 'Ask of y',
    });
    expect(await readTitles(file, ['y'], {})).toEqual(new Map([['y', 'Ask of y']]));
  });

  it('is nothing where the file is gone or no transcript', async () => {
    expect(await readTitles(`${folder.path}/gone.jsonl`, ['a'], {})).toEqual(new Map());
    expect(await readTitles(folder.write('no.jsonl', 'no JSON at all\n'), ['a'], {})).toEqual(new Map());
  });
});
