import { AssayError } from '../../errors.ts';
import type { PromptName } from './read-prompt.ts';

/**
 * The number after the latest one: v1.0 → v1.1 for a minor change, v2.0 for a major one. A minor change of an older
 * major version goes on counting there; a number is never used twice.
 */
export function nextVersion(prompts: readonly PromptName[], base: PromptName, major: boolean): string {
  const family = prompts.filter(({ stem }) => stem === base.stem);
  const highest = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b), 0);
  if (major) return `${base.stem}-v${highest(family.map((one) => one.major)) + 1}.0`;
  const minors = family.filter((one) => one.major === base.major).map((one) => one.minor);
  return `${base.stem}-v${base.major}.${highest(minors) + 1}`;
}

/** The version that a new one starts from: the one in force, else the newest. */
export function versionToCopy(
  prompts: readonly PromptName[],
  stem: string,
  inForce: string | undefined,
): PromptName {
  const family = prompts.filter((one) => one.stem === stem);
  const base = family.find(({ name }) => name === inForce) ?? family.at(-1);
  if (base !== undefined) return base;
  const known = [...new Set(prompts.map((one) => one.stem))].join(', ');
  throw new AssayError('USAGE', `there is no prompt "${stem}"${known === '' ? '' : `; there is ${known}`}`, {
    remedy: `Write ${stem}-v1.0.md first; later versions are made from it.`,
  });
}

/** The version before this one by number, if there is one. */
export function versionBefore(prompts: readonly PromptName[], name: string): string | undefined {
  const index = prompts.findIndex((one) => one.name === name);
  const [before, here] = [prompts[index - 1], prompts[index]];
  return before !== undefined && before.stem === here?.stem ? before.name : undefined;
}

/** A version that was just made. */
export type StartedVersion = {
  readonly name: string;
  readonly path: string;
  /** The version it is a copy of. */
  readonly from: string;
};
