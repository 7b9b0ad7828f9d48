/** Why a version of a prompt was promoted, held or rejected: as the CHANGELOG, the ledger, the wire and a report say it. */
import type { DecisionReason } from '../prompts/promotion.ts';

export function reasonText(reason: DecisionReason): string {
  switch (reason.kind) {
    case 'in the fail zone':
      return `${reason.metric} is in the fail zone${reason.before ? ` (before: ${reason.before})` : ''}`;
    case 'fell':
      return `${reason.metric} got worse by ${reason.points.toFixed(1)} points${reason.isNoise ? ' (noise over these cases)' : ''}`;
    case 'hallucinated': {
      const before = reason.before === undefined ? '' : `, before ${percent(reason.before)}`;
      return `${reason.metric} is ${percent(reason.share)}${before}: it needs a reason`;
    }
    case 'first version':
      return 'the first version, with no metric in the fail zone';
    case 'stable':
      return 'every metric is stable or better, and none enters the fail zone';
    case 'still failing':
      return `still in the fail zone, as before, so the gate keeps blocking: ${reason.metrics.join(', ')}`;
    case 'cases not measured':
      return `cases could not be measured: ${reason.cases.join(', ')}`;
    case 'cases missing':
      return `cases of the version before are missing: ${reason.cases.join(', ')}`;
    case 'other golden cases':
      return `it was measured against other golden cases than those in ${reason.golden}`;
    case 'other model':
      return `it was measured with ${reason.model}, and ${reason.previous} with ${reason.before ?? 'a model that is not known'}`;
    case 'measured otherwise':
      return reason.how;
    case 'version before not measured':
      return `${reason.version} was not measured, so nothing can be compared`;
    case 'not measured':
      return `${reason.metric} was not measured`;
    case 'reason given':
      return `reason: ${reason.reason}`;
  }
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))}%`;
}

export function measuredText(run: {
  readonly id: string;
  readonly subject: string;
  readonly cases: number;
}): string {
  return `Measured by run ${run.id} (${run.subject}) over ${run.cases} golden cases`;
}

/** What the CHANGELOG says of a version that is no longer in force. */
export function rollbackText(rollback: {
  readonly to: string;
  readonly on: string;
  readonly who: string;
  readonly reason: string;
}): string {
  return `Rolled back to ${rollback.to} on ${rollback.on} by ${rollback.who}: ${rollback.reason}`;
}
