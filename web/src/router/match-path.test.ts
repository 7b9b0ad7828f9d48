import { describe, expect, it } from 'vitest';
import { matchPath } from './match-path.ts';

describe('a path', () => {
  it('gives the parts that a pattern names, decoded', () => {
    expect(matchPath('/sessions/:key', '/sessions/7ef1')).toEqual({ key: '7ef1' });
    expect(matchPath('/runs/:id/cases/:case', '/runs/a%2Fb/cases/c%20d')).toEqual({ id: 'a/b', case: 'c d' });
    expect(matchPath('/', '/')).toEqual({});
    expect(matchPath('/sessions', '/sessions/')).toEqual({});
  });

  it('that differs, is longer or is no valid address matches nothing', () => {
    expect(matchPath('/sessions/:key', '/sessions')).toBeUndefined();
    expect(matchPath('/sessions', '/alerts')).toBeUndefined();
    expect(matchPath('/sessions/:key', '/sessions/a/b')).toBeUndefined();
    expect(matchPath('/sessions/:key', '/sessions/%E0%A4%A')).toBeUndefined();
  });
});
