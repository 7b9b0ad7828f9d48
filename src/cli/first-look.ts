/** What Assay shows without sessions: each instrument with a short example. */

import type { View } from '../report/view.ts';
import type { Arguments, Terminal } from './command.ts';
import { printResult } from './print-result.ts';

export async function printFirstLook(args: Arguments, terminal: Terminal): Promise<void> {
  const document = (await measured()) ?? (await (await import('./measure-first-look.ts')).measureFirstLook());
  await printResult(args, terminal, { document: () => document, json: () => [] });
}

/** Written when the package is built, by `build/first-look.ts`. */
const MEASURED = new URL('./first-look.json', import.meta.url).href;

/** The examples do not depend on the machine: a built package contains their results, a clone measures them. */
async function measured(): Promise<View | undefined> {
  try {
    return (await import(MEASURED, { with: { type: 'json' } })).default;
  } catch {
    return undefined;
  }
}
