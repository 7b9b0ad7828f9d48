import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { decompositionMetrics } from '../decomposition/catalog.ts';
import type { CaseEvidence, MatchLevel } from '../decomposition/evidence.ts';
import { examinedAt, examineOutputs } from '../decomposition/ingest/examine.ts';
import { readGoldenSet } from '../decomposition/ingest/golden-case.ts';
import { requireSemanticModel } from '../decomposition/match/semantic/load.ts';
import { explainOverall, gatePolicy, REGRESSION_POLICY } from '../decomposition/policy.ts';
import { scorerWith } from '../decomposition/scorer.ts';
import type { Ingested } from '../measure/measure.ts';
import { assess } from '../pipeline.ts';
import { FORMATS, renderVerdict } from '../report/format.ts';
import { openStore } from '../store/open.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from './command.ts';
import { readSettings } from './settings.ts';

const EXAMPLE = new URL('../../examples/decomposition/', import.meta.url);

export const command: Command = {
  name: 'example',
  summary: 'Measure the bundled example and show what a result looks like',
  options: {
    format: { type: 'string', choices: FORMATS, default: 'table', doc: 'How to print the result' },
    all: { type: 'boolean', doc: 'Show every row of long tables' },
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay example', 'assay example --format html > report.html'],
  run: async (args, terminal) => {
    const { config, store: place } = await readSettings(args, terminal);
    const { weights, overallScale, matchLevel } = config.decomposition;
    const store = await openStore(place.address);
    try {
      const { verdict } = await assess(
        {
          subject: {
            instrument: 'decomposition',
            subject: 'bundled example',
            runId: randomUUID(),
            at: new Date().toISOString(),
            scorer: scorerWith(weights, matchLevel),
          },
          metrics: decompositionMetrics(weights),
          policy: {
            gate: gatePolicy(overallScale),
            compare: REGRESSION_POLICY,
            explain: (metrics) => explainOverall(metrics, weights, overallScale),
          },
          ingest: () => examineExample(matchLevel),
        },
        store,
      );
      const { width, colour } = terminal;
      const next = ['assay metrics', 'assay runs', 'assay example --format html > report.html'];
      const options = { width, colour, all: args.values.all === true, next };
      terminal.print(await renderVerdict(verdict, args.values.format as (typeof FORMATS)[number], options));
      return verdict.gate.exitCode;
    } finally {
      await store.close();
    }
  },
};

async function examineExample(level: MatchLevel): Promise<Ingested<CaseEvidence>> {
  const semantic = level === 'semantic' ? await requireSemanticModel() : undefined;
  const examined = await examineOutputs(readGoldenSet(folder('golden')), folder('outputs'), { semantic });
  return { ...examined, cases: examined.cases.map((one) => examinedAt(one, level)) };
}

function folder(name: string): string {
  return fileURLToPath(new URL(name, EXAMPLE));
}
