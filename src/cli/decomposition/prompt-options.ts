import { resolve } from 'node:path';
import { type Option, type Options, STORE_OPTIONS, type Terminal } from '../command.ts';

export const PROMPTS_OPTION = {
  type: 'path',
  value: 'DIR',
  doc: 'Folder of prompts (default prompts/)',
} as const satisfies Option;

/** Where the plan of an experiment and its requests are. */
export const EXPERIMENT_OPTIONS = { prompts: PROMPTS_OPTION, ...STORE_OPTIONS } as const satisfies Options;

type PromptArguments = { readonly values: { readonly prompts?: string } };

/** For reading: the named folder, else the operation looks in the project and the package. */
export function promptsToRead(
  { values: { prompts } }: PromptArguments,
  { cwd }: Terminal,
): { readonly prompts?: string; readonly cwd: string } {
  return { cwd, ...(prompts !== undefined && { prompts: resolve(cwd, prompts) }) };
}

/** For writing: never the folder of the package. */
export function promptsToWrite({ values: { prompts } }: PromptArguments, { cwd }: Terminal): string {
  return resolve(cwd, prompts ?? 'prompts');
}
