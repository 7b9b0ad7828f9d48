/** Precision and recall of corrections on the shared conversations: `npm run bench:corrections`. With `--show`, what is wrong or missed. */
import {
  agreementOf,
  type How,
  type Judged,
  judgeCorrections,
  precisionOf,
  recallOf,
  type Share,
} from './corrections/measure.ts';

function row(title: string, { yes, of, low, high }: Share): void {
  const interval = low === undefined || high === undefined ? '' : `[${low.toFixed(2)}, ${high.toFixed(2)}]`;
  const share = of === 0 ? '' : (yes / of).toFixed(2);
  console.log(`${title.padEnd(44)}${`${yes} of ${of}`.padEnd(14)}${share.padEnd(8)}${interval}`);
}

function report(title: string, judged: readonly Judged[]): void {
  row(`${title}: precision`, precisionOf(judged));
  row(`${title}: recall`, recallOf(judged));
  row(`${title}: sessions with the right signal`, agreementOf(judged));
}

const judged = judgeCorrections();
if (judged.length === 0) console.log('the shared sessions are not there: nothing was measured');
else {
  report(
    'People (Claude Code, Gemini, pi)',
    judged.filter(({ source }) => !source.startsWith('tau')),
  );
  report(
    'Simulated customers (tau)',
    judged.filter(({ source }) => source.startsWith('tau')),
  );
  report('All', judged);
  for (const how of ['denied', 'interrupted', 'failed', 'said', 'again'] as const satisfies How[])
    row(
      `Recall: ${how}`,
      recallOf(judged, (one) => one.how === how),
    );
  row(
    'Recall where the reader was sure',
    recallOf(judged, ({ sure }) => sure),
  );
}
if (process.argv.includes('--show')) {
  for (const { cluster, found, known } of judged) {
    const wrong = found
      .filter(({ right }) => right !== true)
      .map(({ line, right }) => (right === false ? `${line} wrong` : `${line} not read`));
    const missed = known.filter((one) => !one.found).map(({ how }) => `a missed ${how}`);
    if (wrong.length + missed.length > 0) console.log(`${cluster}: ${[...wrong, ...missed].join(', ')}`);
  }
}
