import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readApprovals } from '../../src/decomposition/approvals.ts';
import { PREDICATES } from '../../src/decomposition/golden-rules.ts';
import { readHistory } from '../../src/decomposition/history.ts';
import { goldenCaseSchema, readGoldenSet } from '../../src/decomposition/ingest/golden-case.ts';
import {
  type ExtractionOutput,
  extractionOutputSchema,
  parseOutput,
  readOutput,
} from '../../src/decomposition/ingest/output.ts';
import { openOutputs } from '../../src/decomposition/ingest/outputs/open-outputs.ts';
import { parseMap } from '../../src/decomposition/ingest/outputs/output-map.ts';
import { ledgerPath, readLedger } from '../../src/decomposition/prompts/ledger.ts';
import { readBaseline } from '../../src/decomposition/result-file.ts';
import { Broken, type Target } from '../target.ts';
import { filesLike, fileTarget } from './file-target.ts';

const CASE = { id: 'one', topic: 'Rain', sourceText: 'Rain fills the river. The river floods the field.' };
const OUTPUTS = ['examples/decomposition/outputs/*.json'];

/** What was read is an output of the form that is documented: read again, it is the same. */
function demandOutput(output: ExtractionOutput): ExtractionOutput {
  const again = parseOutput(JSON.parse(JSON.stringify(output)), 'read again');
  const { withoutQuotes: _, ...plain } = output;
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(again)), JSON.parse(JSON.stringify(plain))))
    throw new Broken('an output changes when it is written and read again');
  const { concepts, relationships } = output;
  const checked = extractionOutputSchema.safeParse({
    ...output,
    concepts: concepts.filter(({ flaw }) => flaw === undefined),
    relationships: relationships.filter(
      ({ flaw, predicate }) => flaw === undefined && PREDICATES.some((known) => known === predicate),
    ),
  });
  if (!checked.success) throw new Broken(`an output is not of its schema: ${checked.error.message}`);
  return output;
}

/** Outputs of other tools: one file for a case, in a folder. */
function foreign(name: string, extension: string, seeds: () => readonly Buffer[]): Target {
  return {
    name: `decomposition/${name}`,
    seeds,
    open: (folder) => {
      const outputs = join(folder, 'outputs');
      mkdirSync(outputs);
      return {
        read: async (input) => {
          writeFileSync(join(outputs, `one.${extension}`), input);
          const recorded = openOutputs(outputs);
          const trials = recorded.trialsOf(CASE);
          for (const trial of trials) if (!('error' in trial)) demandOutput(trial);
          return { trials, notes: recorded.notes() };
        },
      };
    },
  };
}

function golden(): Target {
  return fileTarget({
    name: 'decomposition/golden-case',
    file: 'one.gold.json',
    like: ['examples/decomposition/golden/*.json'],
    read: (_, folder) => {
      const { cases, ...rest } = readGoldenSet(folder);
      for (const one of cases) {
        const checked = goldenCaseSchema.safeParse(JSON.parse(JSON.stringify(one)));
        if (!isDeepStrictEqual(checked.data, one))
          throw new Broken('a golden case changes when it is read again');
      }
      return { ...rest, cases };
    },
  });
}

export const decompositionTargets: readonly Target[] = [
  golden(),
  fileTarget({
    name: 'decomposition/output',
    file: 'one.json',
    like: OUTPUTS,
    read: (path) => demandOutput(readOutput(path)),
  }),
  foreign('foreign-json', 'json', () => filesLike(OUTPUTS)),
  ...(['json', 'jsonl', 'eval'] as const).map((extension) =>
    fileTarget({
      name: `decomposition/results-${extension}`,
      file: `results.${extension}`,
      read: async (path) => {
        const recorded = openOutputs(path);
        return { trials: recorded.trialsOf(CASE), notes: recorded.notes() };
      },
    }),
  ),
  {
    name: 'decomposition/map',
    seeds: () => [
      Buffer.from('concepts=entities[].name,relationships=relations[].head/tail/type'),
      Buffer.from('output=a.b[0].c'),
    ],
    open: () => ({ read: (input) => parseMap(input.toString('utf8')) }),
  },
  fileTarget({ name: 'decomposition/baseline', file: 'baseline.json', read: readBaseline }),
  fileTarget({ name: 'decomposition/history', file: 'history.json', read: readHistory }),
  fileTarget({ name: 'decomposition/approvals', file: 'approvals.json', read: readApprovals }),
  {
    name: 'decomposition/ledger',
    seeds: () => filesLike(['prompts/ledger.jsonl']),
    open: (folder) => {
      cpSync('prompts', folder, { recursive: true });
      return {
        read: (input) => {
          writeFileSync(ledgerPath(folder), input);
          return readLedger(folder);
        },
      };
    },
  },
];
