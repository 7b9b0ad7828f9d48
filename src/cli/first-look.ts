/** What a person sees who has no sessions here: what there is, and an example of each in a few lines. */
import { readFileSync } from 'node:fs';
import type { Document } from '../report/document.ts';
import type { Arguments, Terminal } from './command.ts';
import { printResult } from './print-result.ts';

/** Written when the package is built. */
export const MEASURED = 'first-look.json';

export async function printFirstLook(args: Arguments, terminal: Terminal): Promise<void> {
  const document = measured() ?? (await (await import('./measure-first-look.ts')).measureFirstLook());
  await printResult(args, terminal, { document: () => document, json: () => [] });
}

/** The examples do not change with the machine: a built package knows what they come to, a clone measures them. */
function measured(): Document | undefined {
  try {
    return JSON.parse(readFileSync(new URL(MEASURED, import.meta.url), 'utf8'));
  } catch {
    return undefined;
  }
}
