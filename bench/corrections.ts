/**
 * Precision and recall of corrections on the shared conversations: `npm run bench:corrections`. With `--show`, what is wrong or
 * missed. Unread: half of the sessions of people, and 21 of customers, labelled before anything was printed and never looked at
 * while the rules were last changed.
 */
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

const isCustomer = ({ source }: Judged) => source.startsWith('tau');
const unread = judgeCorrections('unread');
const judged = judgeCorrections('labels');
if (judged.length === 0) console.log('the shared sessions are not there: nothing was measured');
else {
  report(
    'People, unread',
    unread.filter((one) => !isCustomer(one)),
  );
  report('Customers, unread', unread.filter(isCustomer));
  report(
    'People',
    judged.filter((one) => !isCustomer(one)),
  );
  report('Customers', judged.filter(isCustomer));
  for (const how of ['denied', 'interrupted', 'failed', 'said', 'again', 'admitted'] as const satisfies How[])
    row(
      `Unread, recall: ${how}`,
      recallOf(unread, (one) => one.how === how),
    );
  row(
    'Unread, recall where the reader was sure',
    recallOf(unread, ({ sure }) => sure),
  );
}
if (process.argv.includes('--show')) {
  for (const { cluster, found, known } of [...unread, ...judged]) {
    const wrong = found
      .filter(({ right }) => right !== true)
      .map(({ line, right }) => (right === false ? `${line} wrong` : `${line} not read`));
    const missed = known.filter((one) => !one.found).map(({ how }) => `a missed ${how}`);
    if (wrong.length + missed.length > 0) console.log(`${cluster}: ${[...wrong, ...missed].join(', ')}`);
  }
}
