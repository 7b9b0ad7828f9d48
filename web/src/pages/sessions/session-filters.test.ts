import { expect, it } from 'vitest';
import { namesAmong, narrowingOf, shortModel, shortName } from './session-filters.ts';

it('asks for the period of the address to the hour, and for what it narrows by', () => {
  const now = Date.parse('2026-05-08T12:34:56Z');
  expect(narrowingOf(new URLSearchParams('period=7d&model=opus&view=time'), now)).toEqual({
    since: '2026-05-01T12:00:00.000Z',
    project: undefined,
    model: 'opus',
    agent: undefined,
    task_type: undefined,
  });
  expect(narrowingOf(new URLSearchParams(''), now).since).toBeUndefined();
});

it('names a model without its day', () => {
  expect(shortModel('claude-opus-4-5-20251101')).toBe('claude-opus-4-5');
  expect(shortModel('gpt-5.4-2026-03-05')).toBe('gpt-5.4');
  expect(shortModel('gpt-5.4')).toBe('gpt-5.4');
});

it('names a folder by its last part, and anything else by itself', () => {
  expect(shortName('/home/ann/web/')).toBe('web');
  expect(shortName('C:\\work\\api')).toBe('api');
  expect(shortName('owner/name')).toBe('owner/name');
});

it('tells things of one short name apart', () => {
  const folders = ['/ann/web/cli', '/ann/api/cli', '/ann/docs'];
  expect(folders.map(namesAmong(folders))).toEqual(['web/cli', 'api/cli', 'docs']);
  const models = ['haiku-20251001', 'haiku', 'opus-20251101'];
  expect(models.map(namesAmong(models, shortModel))).toEqual(['haiku-20251001', 'haiku', 'opus']);
});
