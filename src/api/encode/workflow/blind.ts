/** What the steps of a blind evaluation show to programs. */
import type { z } from 'zod';
import type { Measurement } from '../../../measure/metric.ts';
import type { BiasCheck, EvaluatorCheck } from '../../../workflow/blind/bias-check.ts';
import type { ShownFinding, ShownStatement, ShownToMatch } from '../../../workflow/blind/desk.ts';
import type { BlindProgress, StepProgress } from '../../../workflow/blind/progress.ts';
import type { Verification } from '../../../workflow/blind/verify.ts';
import type { Location } from '../../../workflow/truth.ts';
import type {
  blindCheck,
  blindErrors,
  blindFindings,
  blindMatches,
  blindStatus,
  blindVerification,
} from '../../schema/workflow/blind.ts';
import { encodeMeasurement } from '../measurement.ts';

type CheckWire = z.infer<typeof blindCheck>;

/** What step 1 shows. */
export function encodeBlindFindings(findings: readonly ShownFinding[]): z.infer<typeof blindFindings> {
  return { format: 'assay-workflow-blind-assess', version: 1, findings: findings.map(findingJson) };
}

/** What step 2 shows. */
export function encodeBlindErrors(errors: readonly ShownStatement[]): z.infer<typeof blindErrors> {
  return { format: 'assay-workflow-blind-predict', version: 1, errors: errors.map((one) => ({ ...one })) };
}

/** What step 3 shows, with the evaluator's own blind assessment beside it. */
export function encodeBlindMatches({ scope, findings, errors }: ShownToMatch): z.infer<typeof blindMatches> {
  return {
    format: 'assay-workflow-blind-match',
    version: 1,
    scope,
    findings: findings.map(({ assessment, candidates, ...shown }) => ({
      ...findingJson(shown),
      ...(assessment && { assessment: { ...assessment } }),
      candidates: candidates.map(({ criteria, locations, ...candidate }) => ({
        ...candidate,
        criteria: [...criteria],
        locations: locations?.map(locationJson),
      })),
    })),
    errors: errors.map((one) => ({ ...one })),
  };
}

function findingJson({ lines, ...finding }: ShownFinding) {
  return { ...finding, lines: lines && [...lines] };
}

function locationJson({ lines, ...location }: Location) {
  return { ...location, ...(lines && { lines: [...lines] }) };
}

export function encodeBlindVerification({
  intact,
  entries,
  head,
  fault,
  notes,
}: Omit<Verification, 'session'>): z.infer<typeof blindVerification> {
  return {
    format: 'assay-workflow-blind-verify',
    version: 1,
    intact,
    entries,
    head,
    fault,
    notes: [...notes],
  };
}

export function encodeBlindStatus(progress: BlindProgress): z.infer<typeof blindStatus> {
  const { findings, errors, entries, head, truthHash, evaluators, disputed, openedIn } = progress;
  return {
    format: 'assay-workflow-blind-status',
    version: 1,
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
      next,
    })),
    ...(disputed && { disputed: [...disputed] }),
    ...(openedIn !== undefined && { opened_in: openedIn }),
  };
}

function stepJson({ done, of, sealedIn }: StepProgress) {
  return { done, of, sealed_in: sealedIn };
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
      fleiss: encodeMeasurement(agreement.fleiss),
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
