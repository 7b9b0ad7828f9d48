import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CiReportRequest, reportRun } from '../../src/operations/ci/report-run.ts';
import type { Target } from '../target.ts';
import { fileTarget } from './file-target.ts';

const PORTS = { now: () => new Date('2026-11-10T10:00:00.000Z'), signal: new AbortController().signal };
const TOKEN = 'ghs_fuzzedtokenthatnobodyhas';

function requestIn(folder: string): CiReportRequest {
  return {
    result: join(folder, 'result.json'),
    golden: 'examples/decomposition/golden',
    host: 'github',
    name: 'fuzz',
    comments: true,
    sarif: join(folder, 'out.sarif'),
    codeQuality: join(folder, 'quality.json'),
    junit: join(folder, 'junit.xml'),
    environment: {
      GITHUB_API_URL: 'http://127.0.0.1:9',
      GITHUB_REPOSITORY: 'owner/name',
      GITHUB_EVENT_PATH: join(folder, 'event.json'),
      GITHUB_TOKEN: TOKEN,
    },
  };
}

/** Instead of the API of a forge: every question is answered with the input. */
async function answeredWith<Result>(input: Buffer, work: () => Promise<Result>): Promise<Result> {
  const { fetch } = globalThis;
  globalThis.fetch = async () => new Response(new Uint8Array(input), { status: 200 });
  try {
    return await work();
  } finally {
    globalThis.fetch = fetch;
  }
}

const EVENT = Buffer.from('{"pull_request":{"number":7,"title":"t"}}');

export const ciTargets: readonly Target[] = [
  fileTarget({
    name: 'ci/result',
    file: 'result.json',
    read: (_, folder) => reportRun({ ...requestIn(folder), comments: false }, PORTS),
  }),
  fileTarget({
    name: 'ci/github-event',
    file: 'event.json',
    like: ['test/fixtures/ci/*.json'],
    read: (_, folder) => answeredWith(Buffer.from('[]'), () => reportRun(requestIn(folder), PORTS)),
  }),
  {
    name: 'ci/forge-answer',
    seeds: () => [
      Buffer.from('[{"id":1,"body":"<!-- assay:fuzz -->\\nold"},{"id":2,"body":null}]'),
      Buffer.from('[]'),
    ],
    open: (folder) => {
      if (!existsSync(join(folder, 'event.json'))) writeFileSync(join(folder, 'event.json'), EVENT);
      return { read: (input) => answeredWith(input, () => reportRun(requestIn(folder), PORTS)) };
    },
  },
];
