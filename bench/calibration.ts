/**
 * How well Q separates success from failure on public runs with known outcomes, and what calibrated weights gain on
 * files they have not seen, and how good P(success) is: `node bench/calibration.ts`. Needs the tau folders of ../shared/data/session.
 */
import { existsSync, globSync } from 'node:fs';
import { readJson } from '../src/files.ts';
import type { Measurement } from '../src/measure/metric.ts';
import { calibrate } from '../src/session/calibration/calibrate.ts';
import { unseenModels } from '../src/session/calibration/success-model.ts';
import {
  rankPooled,
  rankWithinSources,
  validateOutcomes,
} from '../src/session/calibration/validate-outcomes.ts';
import { readTauOutcomes } from '../src/session/ingest/formats/tau-bench.ts';
import { readAll } from '../src/session/ingest/read-all.ts';
import { loadPrices } from '../src/session/pricing/load-prices.ts';
import { type ScoredSession, scoreSession } from '../src/session/score-session.ts';

const DATA = '../shared/data/session';

const say = (measurement: Measurement): string => {
  if (!measurement.measured) return `– (${measurement.reason})`;
  const { value, low, high } = measurement;
  return `${value.toFixed(3)} [${low?.toFixed(3) ?? '–'}, ${high?.toFixed(3) ?? '–'}]`;
};

if (!existsSync(DATA)) {
  console.log(`${DATA} is not there; nothing was measured`);
  process.exit(2);
}

const files = globSync(`${DATA}/tau*-bench/*.json`)
  .filter((path) => !path.endsWith('index.json'))
  .sort();
const { sessions } = await readAll(files);
const labels = new Map(
  files.flatMap((path) =>
    readTauOutcomes(readJson(path), { path }).map((one) => [one.sessionId, one] as const),
  ),
);
const labelled = sessions.flatMap(({ path, facts }) => {
  const label = labels.get(facts.sessionId);
  if (label === undefined) return [];
  const source = path.slice(path.lastIndexOf('/') + 1);
  return [{ facts, label: label.outcome, source, task: label.task ?? facts.sessionId }];
});
const prices = await loadPrices();
const calibration = calibrate(labelled, { kind: 'outcomes', name: 'tau', prices });

console.log(`${calibration.sessions} runs of ${calibration.sources} files, ${calibration.method}`);
for (const { scope, documented, calibrated } of calibration.outOfFold.figures) {
  console.log(
    `${scope.slice(0, 50).padEnd(52)} documented ${say(documented)}   calibrated ${say(calibrated)}`,
  );
}
console.log(calibration.verdict.because);

const scored = labelled.map(({ facts, label, source, task }) => ({
  facts,
  scored: scoreSession(facts, { prices }),
  outcome: label,
  source,
  task,
}));
const { auc, withinSources, bySource, tasks } = validateOutcomes(
  scored.map(({ facts, scored: { q, taskType }, outcome, source, task }) => ({
    sessionId: facts.sessionId,
    taskType,
    q,
    outcome,
    source,
    task,
  })),
);
console.log(
  `\nAUC of Q with intervals over ${tasks} tasks; the pooled one mostly says which file a run came from`,
);
console.log(`all together              ${say(auc)}`);
console.log(`within their file         ${say(withinSources)}`);
console.log(`by the mean of their file ${say(bySource)}`);

const high = scored.filter((one) => (one.scored.q ?? 0) >= 0.9);
const succeeded = (all: typeof scored) => all.filter((one) => one.outcome >= 0.5).length;
console.log(`\n${succeeded(scored)} of ${scored.length} runs succeeded`);
console.log(
  `${high.length} of ${scored.length} have a Q of 0.9 or more; ${succeeded(high)} of those succeeded`,
);

// P(success), each run predicted by a model that saw neither it nor its group. A further number stays only where it
// lowers the log loss.
const NUMBERS = {
  'Q alone': () => [],
  '+ completion': ({ categories }) => [categories.completion],
  '+ execution': ({ categories }) => [categories.execution],
  '+ efficiency': ({ categories }) => [categories.efficiency],
  '+ failed calls': ({ toolCalls, toolErrors }) => [toolErrors / Math.max(1, toolCalls)],
  '+ turns': ({ turns }) => [Math.log1p(turns)],
} as const satisfies Record<string, (session: ScoredSession) => readonly (number | undefined)[]>;
const casesWith = (more: (session: ScoredSession) => readonly (number | undefined)[]) =>
  scored.map(({ scored: session, outcome, source, task }) => ({
    numbers: [session.q, ...more(session)],
    model: session.model,
    task,
    source,
    success: outcome > 0.5,
  }));

const base = succeeded(scored) / scored.length;
console.log(`\nP(success): the base rate has a Brier score of ${(base * (1 - base)).toFixed(3)}`);
for (const [name, more] of Object.entries(NUMBERS)) sayChances(`other tasks, ${name}`, casesWith(more));
sayChances('other files, Q alone', casesWith(NUMBERS['Q alone']), ({ source }) => source);

type Case = ReturnType<typeof casesWith>[number];

/** Runs of one file that one model predicted are compared: the models of two folds are not the same. */
function sayChances(name: string, cases: readonly Case[], groupOf?: (one: Case) => string): void {
  const models = unseenModels(cases, {
    ...(groupOf && { groupOf: (one) => groupOf(one as Case), folds: 50 }),
  });
  const folds = new Map([...new Set(models)].map((model, i) => [model, i]));
  const runs = cases.map((one, i) => ({
    value: models[i]?.chanceOf(one).p ?? Number.NaN,
    success: one.success,
    source: `${one.source} ${folds.get(models[i])}`,
    task: one.task,
  }));
  const meanOf = (loss: (p: number, success: boolean) => number) =>
    runs.reduce((sum, { value, success }) => sum + loss(value, success), 0) / runs.length;
  const brier = meanOf((p, success) => (p - Number(success)) ** 2).toFixed(4);
  const logLoss = meanOf((p, success) => -Math.log(success ? p : 1 - p)).toFixed(4);
  console.log(
    `${name.padEnd(28)} Brier ${brier}  log loss ${logLoss}  AUC ${say(rankPooled(runs))}, within a file ${say(rankWithinSources(runs))}`,
  );
}
