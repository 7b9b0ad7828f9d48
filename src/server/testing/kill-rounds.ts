/** A server that is killed again and again while agents send to it, and one that is not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { keyedFetch, withoutKey } from '../../testing/server-keys.ts';
import { scoredRows } from './stored-rows.ts';

const CHILD = fileURLToPath(new URL('./serve-child.ts', import.meta.url));

/** A request that may be sent several times. */
type Request = { readonly path: string; readonly headers: Record<string, string>; readonly body: string };

/** Who sends one thing after the other, each until it is acknowledged. */
export type Sender = { readonly name: string; readonly requests: readonly Request[] };

type Running = { readonly url: string; readonly kill: () => Promise<void> };

async function serve(folder: string): Promise<Running> {
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const ended = once(child, 'exit');
  return {
    url: withoutKey(String(line)),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export type KillOptions = {
  readonly folder: string;
  readonly senders: readonly Sender[];
  /** How often the server is killed. */
  readonly kills: number;
  /** Milliseconds that a server may live, drawn for each. */
  readonly lifetime: () => number;
};

/** What was acknowledged, and the rows that were stored in the end, with nothing in them that is the folder's. */
export async function runWithKills({ folder, senders, kills, lifetime }: KillOptions) {
  let server: Running | undefined = await serve(folder);
  const acknowledged: string[] = [];
  let isOver = false;
  // Each has as much to say as the server has lives: none is done before the last of them.
  let life = 0;
  const allowed = (count: number) => (isOver ? count : Math.ceil((count * (life + 1)) / (kills + 1)));
  const sending = senders.map(async ({ requests }) => {
    for (const [index, { path, headers, body }] of requests.entries()) {
      while (index >= allowed(requests.length)) await sleep(5);
      for (let status = 0; status !== 200; ) {
        const url = server?.url;
        status =
          url === undefined
            ? 0
            : await keyedFetch(new URL(path, url), { method: 'POST', headers, body }).then(
                (answer) => answer.status,
                () => 0,
              );
        if (status !== 200) await sleep(5);
      }
      acknowledged.push(body);
    }
  });
  for (; life < kills; life += 1) {
    await sleep(lifetime());
    const killed = server;
    server = undefined;
    await killed?.kill();
    server = await serve(folder);
  }
  isOver = true;
  await Promise.all(sending);
  const rows = await scoredRows({ store: join(folder, 'assay.db') });
  await server?.kill();
  return { acknowledged, rows: rows.map((row) => withoutPlace(row, folder)).sort() };
}

/** Keys and revisions are made of the place, too. */
function withoutPlace(
  { sessionKey: _k, revision: _r, ...row }: object & { sessionKey: string; revision: string },
  folder: string,
) {
  return JSON.stringify(row).replaceAll(folder, '');
}
