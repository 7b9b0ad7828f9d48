import type { Arguments } from './command.ts';

/** The text that was given for an option. */
export function textOf({ values }: Arguments, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}
