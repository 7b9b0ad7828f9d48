/**
 * How often does the documented rule, |difference| > 2 × pooled SD, call two equal workflows different? Run: `node
 * bench/rule-false-alarms.ts`. Compares a seeded simulation of normal run scores with `ruleFalseAlarm`; the last column
 * is their difference in standard errors of the simulation.
 */
import { random } from '../src/stats/random.ts';
import { ruleFalseAlarm } from '../src/stats/rule-false-alarm.ts';
import { documentedRule } from '../src/workflow/compare/documented-rule.ts';

const TRIALS = 100_000;
const source = random(20260101);

/** Two normal values at a time (Box and Muller, 1958). */
function normals(count: number): number[] {
  const values: number[] = [];
  while (values.length < count) {
    const radius = Math.sqrt(-2 * Math.log((source.bits() + 1) / 2 ** 32));
    const angle = (2 * Math.PI * source.bits()) / 2 ** 32;
    values.push(radius * Math.cos(angle), radius * Math.sin(angle));
  }
  return values.slice(0, count);
}

console.log(
  `runs per side  simulated  computed  standard errors apart   (${TRIALS.toLocaleString('en')} pairs of equal workflows each)`,
);
for (const runs of [2, 3, 4, 5, 10]) {
  let alarms = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const rule = documentedRule(normals(runs), normals(runs));
    if (rule.measured && rule.significant) alarms++;
  }
  const [simulated, computed] = [alarms / TRIALS, ruleFalseAlarm(runs) as number];
  const apart = (simulated - computed) / Math.sqrt((computed * (1 - computed)) / TRIALS);
  const percent = (share: number) => `${(100 * share).toFixed(2)}%`.padStart(9);
  console.log(
    `${String(runs).padStart(13)}  ${percent(simulated)} ${percent(computed)}  ${apart.toFixed(1).padStart(21)}`,
  );
}
