import type { z } from 'zod';
import type { RuleFinding } from '../../decomposition/production/rule-finding.ts';
import type { productionCheck } from '../schema/production-check.ts';

type Checked = {
  readonly findings: readonly RuleFinding[];
  readonly fired: readonly { readonly alertId: string }[];
  readonly resolved: readonly { readonly alertId: string }[];
};

export function encodeProductionCheck({
  findings,
  fired,
  resolved,
}: Checked): z.infer<typeof productionCheck> {
  return {
    format: 'assay-production-check',
    version: 1,
    findings: findings.map(({ rule, subject, state, value, n }) => ({
      rule: rule.id,
      subject,
      severity: rule.severity,
      what: rule.what,
      state,
      value: value ?? null,
      n,
      side: rule.side,
      line: rule.line,
      unit: rule.unit,
      minutes: rule.minutes,
      minimum: rule.minimum,
    })),
    fired: fired.map(({ alertId }) => alertId),
    resolved: resolved.map(({ alertId }) => alertId),
  };
}
