import { resolve } from 'node:path';
import { BASELINE_FILE, readBaseline } from '../../decomposition/baseline.ts';
import { decompositionMetrics } from '../../decomposition/catalog.ts';
import { gatePolicy } from '../../decomposition/policy.ts';
import { type Result, readResult, sideOf } from '../../decomposition/result-file.ts';
import { runJson } from '../../decomposition/run-json.ts';
import { AssayError } from '../../errors.ts';
import { judge } from '../../judge/judge.ts';
import { openStore } from '../../store/open.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { readSettings } from '../settings.ts';
import { shellWord } from '../shell-word.ts';
import { type Baseline, holdAgainst } from './hold-against.ts';
import { policyOf } from './measure-run.ts';
import { printRun } from './print-run.ts';
import { runAgainst } from './run.ts';
import { BASELINE_OPTION, COMPARE_OPTIONS, RUN_OPTIONS, textOf } from './run-options.ts';

export const command: Command = {
  name: 'decomposition compare',
  summary: 'What changed since the baseline, case by case, and whether it may go on',
  positionals: { usage: '[[BASELINE] RESULT]', max: 2 },
  options: { baseline: BASELINE_OPTION, ...COMPARE_OPTIONS, ...RUN_OPTIONS },
  examples: [
    'assay decomposition compare',
    'assay decomposition compare --approve "fewer concepts on purpose, see the pull request"',
    'assay decomposition compare before.json after.json --format markdown',
  ],
  notes: [
    'Without files it measures now, as run does. A file is what run --format json --out FILE or baseline',
    'wrote.',
  ],
  run: async (args, terminal) => {
    const [first, second] = args.positionals;
    const named = textOf(args, 'baseline');
    if (second !== undefined && named !== undefined) {
      throw new AssayError('USAGE', 'two files and --baseline: one baseline is enough');
    }
    const path = resolve(terminal.cwd, second === undefined ? (named ?? BASELINE_FILE) : (first ?? ''));
    const candidate = second ?? first;
    if (candidate === undefined) return runAgainst(args, terminal, path);
    refuseMeasuring(args);
    return compareFiles({ path, result: readBaseline(path) }, readResult(candidate), args, terminal);
  },
};

function refuseMeasuring(args: Arguments): void {
  const stray = ['outputs', 'extractor', 'prompt', 'model', 'command'].find(
    (name) => args.values[name] !== undefined,
  );
  if (stray !== undefined)
    throw new AssayError('USAGE', `the result is in a file, so there is nothing for --${stray} to do`);
}

/** Nothing is measured and no run is stored: both results were written down before. */
async function compareFiles(
  baseline: Baseline,
  candidate: Result,
  args: Arguments,
  terminal: Terminal,
): Promise<number> {
  const settings = await readSettings(args, terminal);
  const metrics = decompositionMetrics(settings.config.decomposition.weights);
  const side = sideOf(candidate);
  const { subject } = candidate.run;
  const errored = candidate.cases.filter(({ error }) => error !== undefined).map(({ id }) => id);
  const held = holdAgainst(
    metrics,
    { ...side, subject, errored },
    baseline,
    gatePolicy(settings.config.decomposition.overallScale).gated,
    args,
    terminal,
  );
  const verdict = judge(
    {
      instrument: 'decomposition',
      subject,
      runId: side.runId,
      at: side.at,
      scorer: side.scorer,
      ...(side.truthHash !== undefined && { truthHash: side.truthHash }),
    },
    metrics,
    candidate.cases.map(({ id, error }) =>
      error === undefined ? { id, evidence: undefined as never, notes: [] } : { id, error },
    ),
    { suite: side.metrics, perCase: side.cases },
    {},
    policyOf(settings, held),
  );
  if (held.approvals.length > 0) {
    const store = await openStore(settings.store.address);
    await held.keepApprovals(store).finally(() => store.close());
  }
  const { extractor, prompt, model, match_level: matchLevel } = candidate.run;
  const facts = {
    extractor,
    matchLevel,
    ...(prompt !== null && { prompt }),
    ...(model !== null && { model }),
  };
  const extras = { caseChanges: held.caseChanges, action: held.action };
  const complete = { ...verdict, notes: [...verdict.notes, ...held.notes] };
  const next = [
    `assay decomposition compare ${args.positionals.map(shellWord).join(' ')} --format html --out comparison.html`,
  ];
  const json = () => runJson(complete, facts, extras);
  await printRun(args, terminal, { verdict: complete, extras, next, json });
  return verdict.gate.exitCode;
}
