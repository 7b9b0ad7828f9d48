/**
 * How well Q separates success from failure on public runs with known outcomes, and what calibrated weights gain on
 * files they have not seen: `node bench/calibration.ts`. Needs the tau folders of ../shared/data/session.
 */
import { existsSync, globSync } from 'node:fs';
import { readJson } from '../src/files.ts';
import type { Measurement } from '../src/measure/metric.ts';
import { calibrate } from '../src/session/calibration/calibrate.ts';
import { validateOutcomes } from '../src/session/calibration/validate-outcomes.ts';
import { readTauOutcomes } from '../src/session/ingest/formats/tau-bench.ts';
import { readAll } from '../src/session/ingest/read-all.ts';
import { loadPrices } from '../src/session/pricing/load-prices.ts';
import { scoreSession } from '../src/session/score-session.ts';

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
