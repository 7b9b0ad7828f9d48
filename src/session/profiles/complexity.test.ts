import { describe, expect, it } from 'vitest';
import { runWith } from '../example-session.ts';
import { scopeOf } from '../fold/requests.ts';
import { complexityOf } from './complexity.ts';

const complexity = (request: string) => complexityOf({ scope: scopeOf(request) })?.complexity;

describe('the complexity of a request', () => {
  it.each([
    ['simple', 'Fix the typo in README.md'],
    ['simple', 'Add a few table tests for setup.go, nothing exotic, just the simplest possible thing.'],
    ['moderate', 'Make parse.ts and print.ts agree about empty lines'],
    ['moderate', 'Migrate the config to the new format'],
    ['moderate', 'Please do:\n- read the file\n- sum the column\n- print it'],
    ['complex', 'Rename the field across all services: api, worker, billing and the mobile app'],
    ['complex', 'Touch a/b.ts, a/c.ts, a/d.ts, e/f.ts, e/g.ts and h/i.ts'],
    [undefined, 'why is the build slow?'],
    [undefined, 'Implement the parser in parse.ts'],
  ])('is %s: %s', (expected, request) => {
    expect(complexity(request)).toBe(expected);
  });

  it('is not told from what was spent on it', () => {
    const spent = runWith({ tools: { calls: 400 }, turns: 40, outputChars: 90_000, spawned: 9 });
    expect(complexityOf(spent)).toBeUndefined();
  });

  it('names what decided', () => {
    expect(complexityOf({ scope: scopeOf('Make parse.ts and print.ts agree') })?.reason).toBe(
      'the request names 2 files',
    );
  });
});
