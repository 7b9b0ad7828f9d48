/** Random batches of every kind of record, with few names and times so that questions find some, and what was deleted between. */
import fc from 'fast-check';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import type {
  Alert,
  AlertEvent,
  ApprovalRecord,
  AuditEntry,
  Delivery,
  DeliveryAttempt,
  Feedback,
  PrunedKind,
  Rating,
  RunRecord,
  Store,
} from '../store.ts';
import {
  alert,
  alertEvent,
  approval,
  attempt,
  auditEntry,
  decomposition,
  decompositionText,
  delivery,
  feedback,
  rating,
  run,
} from './records.ts';

/** Seconds, minutes, hours and days apart, some of them the same. */
export const TIMES = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-01T00:00:59.999Z',
  '2026-01-01T00:01:00.000Z',
  '2026-01-01T00:59:59.999Z',
  '2026-01-01T01:00:00.000Z',
  '2026-01-01T23:59:30.000Z',
  '2026-01-02T00:00:00.000Z',
  '2026-01-02T12:30:30.500Z',
  '2026-02-01T00:00:00.000Z',
];
export const time: fc.Arbitrary<string> = fc.constantFrom(...TIMES);
export const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

/** Names beside plain ones, with what databases trip over. */
export const NAMES = ['a', 'b', 'ä', 'ß', "it's", '{x:String}', 'a\nb', '\\n', '%', 'A', ' a'];
export const name: fc.Arbitrary<string> = fc.constantFrom(...NAMES);
const key = fc.oneof(name, fc.nat({ max: 30 }).map(String));

/** Without what has no value, which is the same as being absent. */
export function known<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter((entry) => entry[1] !== undefined)) as T;
}

function some<R, P extends object>(
  make: (id: string, part: P) => R,
  part: { [K in keyof P]?: fc.Arbitrary<P[K] | undefined> },
  most = 14,
): fc.Arbitrary<R[]> {
  const one = fc.tuple(key, fc.record(part as Record<string, fc.Arbitrary<unknown>>));
  return fc
    .uniqueArray(one, { selector: ([id]) => id, maxLength: most })
    .map((list) => list.map(([id, given]) => make(id, known(given) as P)));
}

const metrics = fc.dictionary(
  fc.constantFrom('recall', 'precision', '__proto__'),
  fc.oneof(
    fc.record({
      measured: fc.constant(true as const),
      value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      n: fc.nat(),
    }),
    fc.record({ measured: fc.constant(false as const), reason: name }),
  ),
  { noNullPrototype: true },
);

const BINS = new Array<number>(20).fill(0);
const amount = fc.oneof(fc.double({ min: 0, max: 1e5, noNaN: true }), fc.constantFrom(0, 0.1, 0.2, 7));

export type AllKinds = {
  readonly runs: readonly RunRecord[];
  readonly ratings: readonly Rating[];
  readonly approvals: readonly ApprovalRecord[];
  readonly alerts: readonly Alert[];
  readonly alertEvents: readonly AlertEvent[];
  readonly feedback: readonly Feedback[];
  readonly audit: readonly AuditEntry[];
  readonly deliveries: readonly Delivery[];
  readonly attempts: readonly DeliveryAttempt[];
  readonly decompositions: readonly DecompositionRecord[];
  readonly texts: readonly DecompositionText[];
};

export const allKinds: fc.Arbitrary<AllKinds> = fc.record({
  runs: some<RunRecord, Partial<RunRecord>>(run, {
    instrument: name,
    subject: name,
    at: time,
    scorer: fc.constantFrom('1', '2'),
    truthHash: maybe(name),
    metrics,
    cases: fc.array(
      fc
        .record({ caseId: name, metrics, error: maybe(name) })
        .map((one) => known(one) as RunRecord['cases'][number]),
      { maxLength: 2 },
    ),
  }),
  ratings: some<Rating, Partial<Rating>>(rating, {
    kind: fc.constantFrom('case', 'session'),
    subjectId: name,
    author: name,
    rating: fc.double({ min: -5, max: 5, noNaN: true }).map((value) => value + 0),
    note: maybe(name),
    at: time,
  }),
  approvals: some<ApprovalRecord, Partial<ApprovalRecord>>(approval, { runId: name, at: time, who: name }),
  alerts: some<Alert, Partial<Alert>>(alert, {
    instrument: name,
    rule: name,
    subject: name,
    severity: fc.constantFrom('warning', 'critical'),
    at: time,
  }),
  alertEvents: some<AlertEvent, Partial<AlertEvent>>(
    (id, part) => alertEvent(id, part.until === undefined ? part : { ...part, state: 'silenced' }),
    {
      alertId: key,
      state: fc.constantFrom('open', 'acknowledged', 'resolved'),
      until: maybe(time),
      at: time,
    },
    30,
  ),
  feedback: some<Feedback, Partial<Feedback>>(feedback, {
    instrument: name,
    outputId: name,
    runId: maybe(name),
    score: maybe(fc.constantFrom(1, 2.5, 5)),
    at: time,
  }),
  audit: some<AuditEntry, Partial<AuditEntry>>(auditEntry, {
    who: name,
    tokenId: maybe(name),
    what: name,
    target: maybe(name),
    status: maybe(fc.constantFrom(200, 403)),
    outcome: fc.constantFrom('done', 'refused', 'failed'),
    times: fc.nat(),
    at: time,
  }),
  deliveries: some<Delivery, Partial<Delivery>>(delivery, {
    target: name,
    body: fc.jsonValue(),
    at: time,
  } as {
    target: fc.Arbitrary<string>;
  }),
  attempts: some<DeliveryAttempt, Partial<DeliveryAttempt>>(
    attempt,
    {
      deliveryId: key,
      outcome: fc.constantFrom('claimed', 'failed', 'failed', 'delivered', 'given up'),
      why: maybe(name),
      at: time,
    },
    30,
  ),
  decompositions: some<DecompositionRecord, Partial<DecompositionRecord>>(
    decomposition,
    {
      at: time,
      status: fc.constantFrom('ok', 'error'),
      errorKind: maybe(name),
      model: maybe(name),
      promptVersion: maybe(name),
      topic: maybe(name),
      latencyMs: maybe(amount),
      // Sums are kept to the billionth, so those of costs that occur are exact in whatever order.
      costUsd: maybe(fc.double({ min: 0, max: 50, noNaN: true })),
      inputTokens: maybe(fc.nat(1e9)),
      outputTokens: maybe(fc.nat(1e9)),
      concepts: maybe(fc.nat(60)),
      relationships: maybe(fc.nat(60)),
      predicates: maybe(fc.dictionary(fc.constantFrom('IS_A', 'CAUSES', '__proto__', 'a.b'), fc.nat(9))),
      sample: maybe(fc.record({ probability: fc.constantFrom(0.05, 1), stratum: name })),
      quotes: maybe(fc.constantFrom({ given: 3, verified: 2 }, { given: 0, verified: 0 })),
      unmentioned: maybe(fc.constantFrom({ concepts: 3, unmentioned: 1 })),
      experiment: maybe(fc.record({ id: name, arm: name, keyHash: name })),
      confidence: maybe(
        fc.array(fc.nat(19), { maxLength: 9 }).map((bins) => ({
          n: bins.length,
          sum: bins.reduce((sum, bin) => sum + (bin + 0.3) / 20, 0),
          bins: BINS.map((_, i) => bins.filter((bin) => bin === i).length),
        })),
      ),
    },
    30,
  ),
  texts: some<DecompositionText, Partial<DecompositionText>>(decompositionText, { text: name, at: time }),
});

/** As some sender would: the batches of a kind in parts, some of them twice. */
export async function appendAll(store: Store, batch: AllKinds, size: number): Promise<readonly unknown[]> {
  const counts: unknown[] = [];
  const inParts = async <T>(records: readonly T[], append: (part: readonly T[]) => Promise<unknown>) => {
    for (let i = 0; i < records.length; i += size)
      counts.push(await append(records.slice(Math.max(0, i - 1), i + size)));
  };
  await inParts(batch.runs, (part) => store.appendRuns(part));
  await inParts(batch.ratings, (part) => store.appendRatings(part));
  await inParts(batch.approvals, (part) => store.appendApprovals(part));
  await inParts(batch.alerts, (part) => store.appendAlerts(part));
  await inParts(batch.alertEvents, (part) => store.appendAlertEvents(part));
  await inParts(batch.feedback, (part) => store.appendFeedback(part));
  await inParts(batch.audit, (part) => store.appendAudit(part));
  await inParts(batch.deliveries, (part) => store.appendDeliveries(part));
  await inParts(batch.attempts, (part) => store.appendDeliveryAttempts(part));
  await inParts(batch.decompositions, (part) => store.appendDecompositions(part));
  await inParts(batch.texts, (part) => store.appendDecompositions([], part));
  return counts;
}

const PRUNED = [
  'runs',
  'ratings',
  'approvals',
  'alerts',
  'feedback',
  'audit',
  'deliveries',
  'decompositions',
  'decomposition-texts',
] as const satisfies readonly PrunedKind[];

export type Pruning = { readonly kind: PrunedKind; readonly before: string };

export const pruning: fc.Arbitrary<Pruning> = fc.record({ kind: fc.constantFrom(...PRUNED), before: time });
