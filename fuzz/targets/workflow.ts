import { cpSync } from 'node:fs';
import { readAnswers } from '../../src/workflow/blind/answers.ts';
import { NOTHING, readChain } from '../../src/workflow/blind/chain.ts';
import { unpack } from '../../src/workflow/blind/material.ts';
import { IMPORTERS } from '../../src/workflow/ingest/formats/importers.ts';
import { importRuns, importTruth } from '../../src/workflow/ingest/import-file.ts';
import { readExperiment } from '../../src/workflow/ingest/read-experiment.ts';
import { readMapping } from '../../src/workflow/ingest/read-file.ts';
import { runSchema } from '../../src/workflow/ingest/run-schema.ts';
import type { ReviewRun } from '../../src/workflow/review.ts';
import { Broken, type Target } from '../target.ts';
import { filesLike, fileTarget } from './file-target.ts';

/** Whatever tool wrote it, a run that was read is one that could have been written as our own. */
function demandRun({ path: _, tally, truthVersion, ...imported }: ReviewRun): void {
  if (tally !== undefined) return;
  const { agentTokens, workflowTokens, costUsd, durationMs, ...run } = imported;
  const own = {
    ...run,
    ...(truthVersion !== undefined && { truth_version: truthVersion }),
    ...(agentTokens !== undefined && { agent_tokens: agentTokens }),
    ...(workflowTokens !== undefined && { workflow_tokens: workflowTokens }),
    ...(costUsd !== undefined && { cost_usd: costUsd }),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
  };
  const checked = runSchema.safeParse(JSON.parse(JSON.stringify(own)));
  if (!checked.success) throw new Broken(`a run is not of its schema: ${checked.error.message}`);
}

function runs(name: string, file: string, like: readonly string[] = []): Target {
  return fileTarget({
    name: `workflow/${name}`,
    file,
    like,
    read: (path) => {
      const imported = importRuns(path, { unnamed: 'unnamed' });
      imported.runs.forEach(demandRun);
      return imported;
    },
  });
}

function truth(extension: string, like: readonly string[] = []): Target {
  return fileTarget({
    name: `workflow/truth-${extension}`,
    file: `truth.${extension}`,
    like,
    read: (path) => importTruth(path),
  });
}

/** Names of files where the notation is not JSON. */
const FILES: Readonly<Record<string, string>> = {
  sarif: 'run.sarif',
  'markdown-review': 'run.md',
  rdjson: 'run.json',
  'claude-print': 'run.jsonl',
  'codex-exec': 'run.jsonl',
};

export const workflowTargets: readonly Target[] = [
  ...IMPORTERS.filter(({ name }) => name !== 'assay').map(({ name }) =>
    runs(`from-${name}`, FILES[name] ?? 'run.json'),
  ),
  ...['json', 'yaml', 'jsonl', 'eval'].map((extension) =>
    runs(`run-${extension}`, `run.${extension}`, [`examples/workflow/runs/**/*.${extension}`]),
  ),
  ...['json', 'yaml', 'md'].map((extension) =>
    truth(extension, [`examples/workflow/truth/**/*.${extension}`]),
  ),
  {
    name: 'workflow/experiment',
    seeds: () => filesLike(['examples/workflow/experiment.yaml']),
    open: (folder) => {
      cpSync('examples/workflow', folder, { recursive: true });
      return fileTarget({
        name: '',
        file: 'experiment.yaml',
        read: (path) => readExperiment(path, folder),
      }).open(folder);
    },
  },
  fileTarget({ name: 'workflow/mapping', file: 'map.yaml', read: readMapping }),
  {
    name: 'workflow/blind-chain',
    seeds: () => [],
    open: () => ({ read: (input) => readChain(input.toString('utf8'), NOTHING) }),
  },
  {
    name: 'workflow/blind-material',
    seeds: () => [],
    open: () => ({ read: (input) => unpack(input.toString('utf8'), 'the material') }),
  },
  ...(['assess', 'predict', 'match'] as const).map((step) =>
    fileTarget({
      name: `workflow/blind-${step}`,
      file: 'answers.json',
      read: (path) => readAnswers(step, path),
    }),
  ),
];
