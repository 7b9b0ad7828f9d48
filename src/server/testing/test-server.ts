/** A real server on a free port, with real stores in a temporary folder. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../config.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { scoreSessions } from '../../operations/session/score-sessions.ts';
import { keyedFetch, withoutKey } from '../../testing/server-keys.ts';
import { openServer, type ServerChoices } from '../open-server.ts';

export type TestServer = {
  readonly url: string;
  /** Asks the server as a program would: an address below it, and what `fetch` takes. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  /** What was logged. */
  readonly lines: readonly string[];
  readonly folder: string;
  readonly store: string;
  readonly stop: () => Promise<void>;
};

/** As long as the command waits: a busy machine may take its time over a transaction. */
const STORE_WAIT_MS = 500;

type TestChoices = Partial<ServerChoices> & {
  readonly withSessions?: boolean;
  readonly now?: () => Date;
};

/** With the sessions of the bundled example, unless `withSessions` is false. */
export async function startTestServer({ now, ...choices }: TestChoices = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = join(folder, 'assay.db');
  if (choices.withSessions !== false) await storeExamples(folder, store);
  const lines: string[] = [];
  const { pageAt, stop } = await openServer({
    host: '127.0.0.1',
    port: 0,
    web: join(folder, 'web'),
    log: { choice: 'all', write: (line) => void lines.push(line) },
    folder,
    machine: { home: folder, environment: { HOME: folder } },
    config: (await loadConfig(folder)).config,
    sessions: defaultPorts({ store, folder, storeWaitMs: STORE_WAIT_MS }),
    project: { ...defaultPorts({ store, folder, storeWaitMs: STORE_WAIT_MS }), ...(now && { now }) },
    ...choices,
  });
  let isStopped = false;
  const stopOnce = async () => {
    if (!isStopped) await stop();
    isStopped = true;
  };
  onTestFinished(stopOnce);
  const url = withoutKey(pageAt());
  const ask = (path: string, init?: RequestInit) => keyedFetch(new URL(path, url), init);
  return { url, ask, lines, folder, store, stop: stopOnce };
}

async function storeExamples(folder: string, store: string): Promise<void> {
  const transcripts = join(folder, 'transcripts');
  mkdirSync(transcripts);
  cpSync('examples/session', transcripts, { recursive: true });
  const ports = defaultPorts({ store, folder });
  const from = { paths: [transcripts], home: folder, environment: {} };
  await scoreSessions({ from, keep: true }, ports, () => {});
  await ports.close();
}
