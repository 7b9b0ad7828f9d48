import { describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/temp-folder.ts';
import { readWords, type WantedQuote } from './read-words.ts';

async function readTitles(path: string, ids: readonly string[]) {
  const words = await readWords(
    path,
    ids.map((sessionId) => ({ sessionId })),
    {},
  );
  return new Map([...words].map(([id, { title }]) => [id, title]));
}

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
    expect(await readTitles(file, ['a'])).toEqual(new Map([['a', 'Fix the parser']]));
    const alone = folder.write('b.jsonl', said('b', '/review'));
    expect(await readTitles(alone, ['b'])).toEqual(new Map([['b', '/review']]));
  });

  it('is told of each session of a file that several share', async () => {
    const file = folder.write('two.jsonl', said('x', 'Ask of x') + said('y', 'Ask of y'));
    expect(Object.fromEntries(await readTitles(file, ['y', 'x']))).toEqual({
      x: 'Ask of x',
      y: 'Ask of y',
    });
    expect(await readTitles(file, ['y'])).toEqual(new Map([['y', 'Ask of y']]));
  });

  it('is nothing where the file is gone or no transcript', async () => {
    expect(await readTitles(`${folder.path}/gone.jsonl`, ['a'])).toEqual(new Map());
    expect(await readTitles(folder.write('no.jsonl', 'no JSON at all\n'), ['a'])).toEqual(new Map());
  });
});

describe('quotes', () => {
  let messages = 0;
  const entry = (type: 'user' | 'assistant', content: unknown) =>
    JSON.stringify({ type, sessionId: 'q', message: { id: `m${messages++}`, role: type, content } });
  const lines = [
    entry('user', 'Add a rate limiter'),
    entry('assistant', [
      { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'cd api && git stash drop; ls' } },
    ]),
    entry('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'Dropped refs/stash@{0}' }]),
    entry('assistant', [{ type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'npm test' } }]),
    entry('user', [
      {
        type: 'tool_result',
        tool_use_id: 't2',
        is_error: true,
        content: 'ok a\n1 failed, 3 passed\ndone in 2 s',
      },
    ]),
    entry('assistant', [{ type: 'text', text: 'I moved the bucket. All tests pass. Enjoy.' }]),
    entry('user', 'No, per key. The key is AKIAIOSFODNN7EXAMPLE'),
  ];
  const read = async (...quotes: readonly WantedQuote[]) => {
    const file = folder.write('quotes.jsonl', lines.map((line) => `${line}\n`).join(''));
    return Object.fromEntries(
      (await readWords(file, [{ sessionId: 'q', quotes }], {})).get('q')?.quotes ?? [],
    );
  };

  it('are the part of a line that a receipt is about, keys masked', async () => {
    expect(
      await read(
        { line: 3, quote: 'call' },
        { line: 5, quote: 'output' },
        { line: 6, quote: 'tests' },
        { line: 7, quote: 'user' },
      ),
    ).toEqual({
      '3 call': 'git stash drop',
      '5 output': '1 failed, 3 passed',
      '6 tests': 'All tests pass.',
      '7 user': 'No, per key. The key is [key]',
    });
  });

  it('are the next message where a person stopped the agent, and nothing where a line says nothing of the kind', async () => {
    expect(await read({ line: 5, quote: 'user' })).toEqual({ '5 user': 'No, per key. The key is [key]' });
    expect(await read({ line: 6, quote: 'lint' }, { line: 99, quote: 'user' })).toEqual({});
  });
});
