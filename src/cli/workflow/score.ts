import { randomUUID } from 'node:crypto';
import { AssayError } from '../../errors.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { type Metric, metricKey } from '../../measure/metric.ts';
import { assess } from '../../pipeline.ts';
import { renderCsv } from '../../report/csv.ts';
import { renderJsonl } from '../../report/jsonl.ts';
import { formatMeasurement, formatValue } from '../../report/number.ts';
import { openStore } from '../../store/open.ts';
import { didYouMean } from '../../suggest.ts';
import { workflowMetrics } from '../../workflow/catalog.ts';
import type { RunEvidence } from '../../workflow/evidence.ts';
import { refuseMisfits } from '../../workflow/ingest/check-runs-fit-truth.ts';
import { collectRuns } from '../../workflow/ingest/collect-runs.ts';
import { importTruth } from '../../workflow/ingest/import-truth.ts';
import type { Mapping } from '../../workflow/ingest/mapping.ts';
import { examineRun } from '../../workflow/match/examine-run.ts';
import { gateFor, type Minimums, NO_REGRESSION_GATE } from '../../workflow/policy.ts';
import type { ReviewRun } from '../../workflow/review.ts';
import { scoreJson } from '../../workflow/score-json.ts';
import { summarise } from '../../workflow/summary.ts';
import type { GroundTruth } from '../../workflow/truth.ts';
import { scorerOf } from '../../workflow/weights.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printDocument } from '../print-report.ts';
import { readSettings } from '../settings.ts';
import { documentsOption, expand, mapsOption, oesOption, REVIEW_OPTIONS, textOf } from './options.ts';
import { scoreDocument, scoreTable } from './score-document.ts';
import { shellWord } from './shell-word.ts';

export const command: Command = {
  name: 'workflow score',
  summary: 'Score the runs of a review against a ground truth: what it finds, how well, how steadily',
  positionals: { usage: '[RUN…]', max: Number.POSITIVE_INFINITY },
  options: {
    runs: {
      type: 'string',
      repeatable: true,
      value: 'PATH',
      doc: 'Files or folders with runs; more may follow as plain words',
    },
    ...REVIEW_OPTIONS,
    workflow: {
      type: 'string',
      value: 'NAME',
      doc: 'Score only this workflow; also the name of runs in formats that have none',
    },
    min: {
      type: 'string',
      value: 'KEY=N,…',
      doc: 'Exit with 1 when a metric is below its minimum, e.g. dr=60,precision=0.7',
    },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay workflow score --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs/review-1',
    'assay workflow score --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs/review-2/*/*.json --documents examples/workflow/documents',
    'assay workflow score --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs --workflow review-2 --min dr=60,precision=0.7',
  ],
  run: async (args, terminal) => {
    const { truth, runs, mappings, notes, inputs } = readInputs(args);
    const options = documentsOption(args);
    const evidence = runs.map((run) => examineRun(truth, run, options));
    const components = oesOption(args);
    const all = workflowMetrics(components);
    const minimums = minimumsOption(args, all);
    const { metrics, gate } = gateFor(all, minimums);
    const { store: place } = await readSettings(args, terminal);
    const store = await openStore(place.address);
    try {
      const { verdict } = await assess(
        {
          subject: {
            instrument: 'workflow',
            subject: runs[0]?.workflow ?? '',
            runId: randomUUID(),
            at: new Date().toISOString(),
            scorer: scorerOf(evidence[0]?.matcherVersion ?? '', components),
          },
          metrics,
          policy: { gate, compare: NO_REGRESSION_GATE },
          ingest: async () => ({
            truthHash: truth.hash,
            cases: evidence.map((one) => ({ id: one.run, evidence: one, notes: [] })),
          }),
        },
        store,
      );
      const summary = summarise(evidence, components);
      const { format } = args.values;
      if (format === 'csv') terminal.print(renderCsv(scoreTable(summary)));
      else if (format === 'jsonl') terminal.print(renderJsonl(scoreTable(summary)));
      else {
        const data = { ...scoreJson(truth, summary), mappings, notes };
        const gated = minimums.size > 0 ? verdict.gate : undefined;
        await printDocument(args, terminal, data, () =>
          scoreDocument({
            truth,
            summary,
            gate: gated,
            trends: verdict.notes,
            mappings,
            notes: [...askedFor(verdict, minimums), ...notes],
            inputs,
          }),
        );
      }
      return verdict.gate.exitCode;
    } finally {
      await store.close();
    }
  },
};

type Inputs = {
  readonly truth: GroundTruth;
  readonly runs: readonly ReviewRun[];
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
  /** The options that name them, for the next command. */
  readonly inputs: string;
};

function readInputs(args: Arguments): Inputs {
  const [path, first, name] = [textOf(args, 'truth'), textOf(args, 'runs'), textOf(args, 'workflow')];
  const patterns = [...(first === undefined ? [] : [first]), ...args.positionals];
  if (path === undefined || patterns.length === 0) {
    throw new AssayError('USAGE', 'assay workflow score needs --truth FILE and --runs PATH');
  }
  const maps = mapsOption(args);
  const { truth, ...imported } = importTruth(path, maps);
  const collected = collectRuns(expand(patterns), {
    task: truth.task,
    ...(name !== undefined && { workflow: name }),
    ...maps,
  });
  const runs = oneWorkflow(collected.runs, name);
  refuseMisfits(truth, runs);
  return {
    truth,
    runs: runs.toSorted((a, b) => a.run.localeCompare(b.run, 'en', { numeric: true })),
    mappings: [...imported.mappings, ...collected.mappings],
    notes: [...imported.notes, ...collected.notes],
    inputs: `--truth ${shellWord(path)} --runs ${patterns.map(shellWord).join(' ')}`,
  };
}

/** Numbers of two workflows thrown together would belong to neither. */
function oneWorkflow(runs: readonly ReviewRun[], name: string | undefined): readonly ReviewRun[] {
  const names = [...new Set(runs.map(({ workflow }) => workflow))];
  if (name !== undefined) {
    const chosen = runs.filter(({ workflow }) => workflow === name);
    if (chosen.length > 0) return chosen;
    throw new AssayError('USAGE', `no run is of workflow "${name}"${didYouMean(name, names)}`, {
      remedy: `There are runs of ${names.join(', ')}.`,
    });
  }
  if (names.length === 1) return runs;
  throw new AssayError('USAGE', `the runs are of ${names.length} workflows: ${names.join(', ')}`, {
    remedy: 'Choose one with --workflow NAME, or hold two against each other with assay workflow compare.',
  });
}

/** What was asked for beside what there is. */
function askedFor({ metrics }: Verdict, minimums: Minimums): string[] {
  const asked = metrics.flatMap(({ id, title, unit, measurement }) => {
    const least = minimums.get(metricKey(id));
    return least === undefined
      ? []
      : [`${title} ${formatMeasurement(measurement, unit)}, at least ${formatValue(least, unit)}`];
  });
  return asked.length === 0 ? [] : [`Asked for: ${asked.join('; ')}.`];
}

function minimumsOption(args: Arguments, metrics: readonly Metric<RunEvidence>[]): Minimums {
  const text = textOf(args, 'min');
  const keys = metrics.map(({ id }) => metricKey(id));
  const parts = text === undefined ? [] : text.split(',');
  return new Map(
    parts.map((part) => {
      const [key = '', value = ''] = part.split('=').map((word) => word.trim());
      if (!keys.includes(key)) {
        throw new AssayError('USAGE', `--min: there is no metric "${key}"${didYouMean(key, keys)}`, {
          remedy: `It is one of ${keys.join(', ')}.`,
        });
      }
      if (value === '' || !Number.isFinite(Number(value))) {
        throw new AssayError('USAGE', `--min: ${key} needs a number, e.g. ${key}=60`);
      }
      return [key, Number(value)] as const;
    }),
  );
}
