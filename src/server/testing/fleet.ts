/** Several server processes over one store, and agents that send to any of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../stats/random.ts';
import { keyedFetch, withoutKey } from '../../testing/server-keys.ts';

const CHILD = fileURLToPath(new URL('./serve-child.ts', import.meta.url));
export type Node = {
  readonly url: string;
  /** The events it published: the type, and the session where there is one. */
  readonly heard: readonly { readonly type: string; readonly session?: string }[];
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>;
};

export type NodeChoices = {
  readonly folder: string;
  readonly store: string;
  readonly config?: object;
};

export async function startNode({ folder, store, config = {} }: NodeChoices): Promise<Node> {
  mkdirSync(folder, { recursive: true });
  const process_ = spawn(process.execPath, [CHILD, folder, store, JSON.stringify(config)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ASSAY_WEBHOOK_SECRET: 'a secret of two' },
  });
  const ended = once(process_, 'exit');
  const lines = createInterface({ input: process_.stdout });
  const [line] = await Promise.race([once(lines, 'line'), ended.then(() => [''])]);
  if (line === '') throw new Error('the server did not start');
  const url = withoutKey(String(line));
  const heard: { type: string; session?: string }[] = [];
  void listen(url, heard).catch(() => {});
  return {
    url,
    heard,
    kill: async (signal = 'SIGKILL') => {
      process_.kill(signal);
      await ended;
    },
  };
}

async function listen(url: string, heard: { type: string; session?: string }[]): Promise<void> {
  const answer = await keyedFetch(new URL('/api/v1/events', url));
  let text = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (text + chunk).split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const [, type, data = '{}'] = /^event: (.*)\ndata: (.*)$/m.exec(part) ?? [];
      const session = JSON.parse(data).session_key;
      if (type !== undefined) heard.push({ type, session });
    }
  }
}

export type Request = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Each request to one of the servers, until it is acknowledged by one. */
export async function sendAll(
  requests: readonly Request[],
  nodes: () => readonly Node[],
  { below }: Pick<Random, 'below'>,
  atOnce: number,
): Promise<void> {
  const left = [...requests];
  const sender = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      for (let status = 0; status !== 200; ) {
        const some = nodes();
        const node = some[below(some.length)] as Node;
        const { path, headers, body } = one;
        status = await keyedFetch(new URL(path, node.url), { method: 'POST', headers, body }).then(
          async (answer) => {
            if (answer.status >= 400 && answer.status < 500) throw new Error(await answer.text());
            await answer.arrayBuffer();
            return answer.status;
          },
          () => 0,
        );
        if (status !== 200) await sleep(20);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
}

/** So many sessions at a time; the requests of each one after the other. */
export async function sendSessions(
  sessions: readonly (readonly Request[])[],
  nodes: () => readonly Node[],
  chance: Pick<Random, 'below'>,
  atOnce: number,
): Promise<void> {
  const left = [...sessions];
  const sender = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await sendAll(one, nodes, chance, 1);
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
}
