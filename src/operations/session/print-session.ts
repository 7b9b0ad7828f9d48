import { type PrintedRow, printedRow } from '../../session/columns.ts';
import type { Ports } from '../ports.ts';
import { findNamed } from './find-session.ts';
import { Opinions } from './model-opinions.ts';
import { totalCosts } from './score-rows.ts';

/** A stored session as `sessions score` prints it. */
export async function printSession({ id }: { readonly id: string }, ports: Ports): Promise<PrintedRow> {
  const store = await ports.store('looking');
  const row = await findNamed(store, id);
  const opinion = (await Opinions.read(ports, store)).of(row);
  return printedRow(row, { totalCostUsd: (await totalCosts(store))(row), opinion });
}
