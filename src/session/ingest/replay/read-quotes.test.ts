import { describe, expect, it } from 'vitest';
import { readQuotes } from './read-quotes.ts';

const FILE =
  'test/fixtures/session/claude-home/.claude/projects/-work-shop/22222222-bbbb-4bbb-8bbb-000000000002.jsonl';
const ID = '22222222-bbbb-4bbb-8bbb-000000000002';

describe('what the lines of a transcript say', () => {
  it('is told of the lines that were asked for, with who said it', async () => {
    const quotes = await readQuotes(FILE, ID, new Set([1, 2, 3]), {});
    expect(quotes).toEqual([
      { line: 1, who: 'person', text: 'Deploy the new build to staging' },
      { line: 2, who: 'call', text: 'Bash ./deploy.sh staging' },
      { line: 3, who: 'result', text: 'Exit code 127 ./deploy.sh: command not found' },
    ]);
  });

  it('has no keys of the environment in it', async () => {
    const [quote] = await readQuotes(FILE, ID, new Set([1]), { API_TOKEN: 'Deploy the new build' });
    expect(quote?.text).toBe('[key] to staging');
  });
});
