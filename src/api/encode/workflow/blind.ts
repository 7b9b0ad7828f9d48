/** What the steps of a blind evaluation show to programs. */
import type { z } from 'zod';
import type { Measurement } from '../../../measure/metric.ts';
import type { BiasCheck, EvaluatorCheck } from '../../../workflow/blind/bias-check.ts';
import type { BlindProgress, StepProgress } from '../../../workflow/blind/progress.ts';
import type { blindCheck, blindStatus } from '../../schema/workflow/blind.ts';
import { encodeMeasurement } from '../measurement.ts';

type CheckWire = z.infer<typeof blindCheck>;

export function encodeBlindStatus(progress: BlindProgress): z.infer<typeof blindStatus> {
  const { findings, errors, entries, head, truthHash, evaluators, disputed, openedIn } = progress;
  return {
    findings,
    errors,
    entries,
    head,
    truth_hash: truthHash,
    evaluators: evaluators.map(({ name, assess, predict, match, truthShown, next }) => ({
      name,
      assess: stepJson(assess),
      predict: stepJson(predict),
      match: stepJson(match),
      truth_shown: truthShown,
      ...(next !== undefined && { next }),
    })),
    ...(disputed && { disputed: [...disputed] }),
    ...(openedIn !== undefined && { opened_in: openedIn }),
  };
}

function stepJson({ done, of, sealedIn }: StepProgress) {
  return { done, of, ...(sealedIn !== undefined && { sealed_in: sealedIn }) };
}

export function encodeBlindCheck(check: BiasCheck): CheckWire {
  const { agreement } = check;
  return {
    format: 'assay-workflow-blind-check',
    version: 1,
    findings: check.findings,
    errors: check.errors,
    runs: check.runs,
    truth_hash: check.truthHash,
    matcher_version: check.matcherVersion,
    evaluators: check.evaluators.map(evaluatorJson),
    agreement: {
      authors: [...agreement.authors],
      settlers: [...agreement.settlers],
      findings: agreement.findings,
      pairs: agreement.pairs.map(({ authors, n, kappa, same }) => ({
        authors: [...authors],
        n,
        kappa: encodeMeasurement(kappa),
        same: encodeMeasurement(same),
      })),
      alpha: encodeMeasurement(agreement.alpha),
      settled: agreement.settled,
      disputed: agreement.disputed,
    },
    decisions: check.decisions.map(({ labels, ...decision }) => ({
      ...decision,
      labels: labels.map((label) => ({ ...label })),
    })),
    left_out: [...check.leftOut],
    flagged: check.flagged,
    detected: [...check.detected].map(([error, outcome]) => ({ error, outcome })),
  };
}

function evaluatorJson(one: EvaluatorCheck): CheckWire['evaluators'][number] {
  const { blindAgainstFinal: final, predictions, indicators } = one;
  const measured = (value: Measurement) => encodeMeasurement(value);
  return {
    name: one.name,
    assessed: one.assessed,
    cannot_tell: one.cannotTell,
    changes: one.changes.map((change) => ({ ...change })),
    blind_against_final: {
      kappa: measured(final.kappa),
      n: final.n,
      same: final.same,
      raised: [...final.raised],
      lowered: [...final.lowered],
    },
    predictions: {
      brier: measured(predictions.brier),
      groups: predictions.groups.map(({ share, ...group }) => ({ ...group, share: measured(share) })),
      cannot_tell: predictions.cannotTell,
      undecided: predictions.undecided,
      systematic: [...predictions.systematic],
    },
    departures: { ...one.departures },
    indicators: {
      changed_after_truth: indicators.changedAfterTruth.map((change) => ({ ...change })),
      contradicted: indicators.contradicted.map((contradiction) => ({ ...contradiction })),
      generous_against_no: indicators.generousAgainstNo.map((deviation) => ({ ...deviation })),
      strict_against_yes: indicators.strictAgainstYes.map((deviation) => ({ ...deviation })),
    },
    flagged: one.flagged,
  };
}
