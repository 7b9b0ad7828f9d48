import { existsSync } from 'node:fs';
import { AssayError } from '../../errors.ts';
import type { Environment } from '../../session/ingest/formats/format.ts';
import { type Quote, readQuotes } from '../../session/ingest/replay/read-quotes.ts';
import { openStream } from '../../session/live/sent-streams.ts';
import { storedIn } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import { findNamed } from './find-session.ts';

export type LinesRequest = {
  readonly id: string;
  /** An inclusive range. */
  readonly from: number;
  readonly to: number;
  /** Keys of this environment are masked. */
  readonly environment: Environment;
};

export type SessionLines = { readonly path: string; readonly lines: readonly Quote[] };

/** The longest text of a line that a page shows. */
const MAX_TEXT = 4_000;

/** Lines of a transcript, read from the current file; nothing is stored. */
export async function readLines(
  { id, from, to, environment }: LinesRequest,
  ports: Ports,
): Promise<SessionLines> {
  const store = await ports.store('looking');
  const row = await findNamed(store, id);
  const { path } = storedIn(row).file;
  const sent = await openStream(store.intake, path);
  if (sent === undefined ? !existsSync(path) : sent.size === 0)
    throw new AssayError('FILE_NOT_FOUND', `the transcript ${path} no longer exists`);
  const wanted = new Set(Array.from({ length: to - from + 1 }, (_, i) => from + i));
  return {
    path,
    lines: await readQuotes(path, row.sessionId, wanted, environment, MAX_TEXT, () => sent),
  };
}
