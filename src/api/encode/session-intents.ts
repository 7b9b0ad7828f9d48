import type { z } from 'zod';
import type { Hits } from '../../session/intents/fit-intents.ts';
import type { IntentTraining } from '../../session/results.ts';
import type { sessionIntents } from '../schema/session-intents.ts';
import { encodeMeasurement } from './measurement.ts';

export function encodeIntents({
  validation,
  model,
  labels,
  out,
}: IntentTraining): z.infer<typeof sessionIntents> {
  const { verdict, n, sources, rules, model: learnt, sure, p, confusion } = validation;
  const of = ({ n: all, share, interval }: Hits) =>
    encodeMeasurement(
      all === 0
        ? { measured: false, reason: 'no labelled session was found' }
        : { measured: true, value: share, n: all, ...interval },
    );
  return {
    format: 'assay-session-intents-training',
    version: 1,
    name: model.name,
    verdict,
    labels,
    sessions: n,
    sources,
    rules: of(rules),
    model: of(learnt),
    sure: n === 0 ? null : sure,
    p,
    confusion: confusion.map((cell) => ({ ...cell })),
    out: out ?? null,
  };
}
