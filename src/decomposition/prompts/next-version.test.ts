import { expect, it } from 'vitest';
import {
  nextVersion,
  type PromptName,
  parsePromptName,
  versionBefore,
  versionToCopy,
} from './prompt-folder.ts';

const names = (...list: string[]) => list.map((name) => parsePromptName(name) as PromptName);

it('counts minor versions up within their major one, and major versions from .0', () => {
  const prompts = names('a-v1.0', 'b-v7.0');
  const [base] = prompts as [PromptName];
  expect(nextVersion(prompts, base, false)).toBe('a-v1.1');
  expect(nextVersion(prompts, base, true)).toBe('a-v2.0');
});

it('never uses a number twice, also when an older version is copied', () => {
  const prompts = names('a-v1.0', 'a-v1.9', 'a-v1.10', 'a-v2.0');
  const [base] = prompts as [PromptName];
  expect(nextVersion(prompts, base, false)).toBe('a-v1.11');
  expect(nextVersion(prompts, base, true)).toBe('a-v3.0');
});

it('copies the version in force, else the newest; a prompt that is not there is named', () => {
  const prompts = names('a-v1.0', 'a-v1.1');
  expect(versionToCopy(prompts, 'a', 'a-v1.0').name).toBe('a-v1.0');
  expect(versionToCopy(prompts, 'a', undefined).name).toBe('a-v1.1');
  expect(() => versionToCopy(prompts, 'c', undefined)).toThrow(/no prompt "c"; there is a/);
});

it('knows the version before', () => {
  const prompts = names('a-v1.0', 'a-v1.1', 'b-v1.0');
  expect(versionBefore(prompts, 'a-v1.1')).toBe('a-v1.0');
  expect(versionBefore(prompts, 'a-v1.0')).toBeUndefined();
  expect(versionBefore(prompts, 'b-v1.0')).toBeUndefined();
});
