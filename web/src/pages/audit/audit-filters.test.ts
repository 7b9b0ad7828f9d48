import { expect, it } from 'vitest';
import { auditQuery } from './audit-filters.ts';

const asked = (query: string) => auditQuery(new URLSearchParams(query));

it('asks for days from their beginning to their end', () => {
  expect(asked('since=2026-02-27&until=2026-02-28')).toMatchObject({
    since: '2026-02-27T00:00:00.000Z',
    until: '2026-03-01T00:00:00.000Z',
  });
});

it('passes on names as they are, and leaves out what is no day', () => {
  expect(asked('who=ann&what=token%20used&since=soon&until=2026-13-01')).toEqual({
    who: 'ann',
    what: 'token used',
    project: undefined,
    since: undefined,
    until: undefined,
  });
});
