/** Scores as they leave, held against what the official client of the service sends for the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { KEYS, startScoreServers } from '../../src/operations/session/testing/score-servers.ts';
import { assayIn } from '../command-folder.ts';
import { fetchTools, LANGFUSE } from '../fetched-tools.ts';

const tools = fetchTools(LANGFUSE);

type Client = { readonly scores: { create(score: object): Promise<unknown> } };
type ClientModule = { readonly LangfuseAPIClient: new (options: object) => Client };

it.skipIf(tools === undefined)(
  'are what the client of Langfuse would send',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-scores-out-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { url, requests } = await startScoreServers();
    const assay = (...words: string[]) =>
      assayIn(folder, words, { env: { ...KEYS, LANGFUSE_BASE_URL: url } });
    const store = ['--store', 'scores.db'];
    await assay('sessions', 'score', resolve('test/fixtures/session/claude-code-turns'), ...store);
    await assay('sessions', 'send', '--to', 'langfuse', ...store);
    const ours = requests.splice(0);
    expect(ours.length).toBeGreaterThan(2);
    const entry = join(tools ?? '', 'node_modules/@langfuse/core/dist/index.mjs');
    const { LangfuseAPIClient } = (await import(pathToFileURL(entry).href)) as ClientModule;
    const client = new LangfuseAPIClient({
      environment: url,
      baseUrl: url,
      username: KEYS.LANGFUSE_PUBLIC_KEY,
      password: KEYS.LANGFUSE_SECRET_KEY,
    });
    for (const { body } of ours) await client.scores.create(JSON.parse(body));
    const sent = ({ path, status, body }: (typeof ours)[number]) => ({
      path,
      status,
      body: JSON.parse(body),
    });
    expect(requests.map(sent)).toEqual(ours.map(sent));
    expect(new Set(ours.map(({ status }) => status))).toEqual(new Set([200]));
  },
);
