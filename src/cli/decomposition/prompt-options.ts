import { resolve } from 'node:path';
import type { Arguments, Option, Terminal } from '../command.ts';
import { textOf } from '../text-of.ts';

export const PROMPTS_OPTION: Option = {
  type: 'string',
  value: 'DIR',
  doc: 'Where prompts are (default prompts/)',
};

/** For reading: what was named, else the operation looks in the project and the package. */
export function promptsToRead(
  args: Arguments,
  { cwd }: Terminal,
): { readonly prompts?: string; readonly cwd: string } {
  const named = textOf(args, 'prompts');
  return { cwd, ...(named !== undefined && { prompts: resolve(cwd, named) }) };
}

/** For writing: never those of the package. */
export function promptsToWrite(args: Arguments, { cwd }: Terminal): string {
  return resolve(cwd, textOf(args, 'prompts') ?? 'prompts');
}
