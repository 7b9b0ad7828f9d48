export type AlertRule = {
  readonly id: AlertRuleId;
  readonly severity: 'warning' | 'critical';
  readonly what: string;
  readonly side: 'above' | 'below';
  readonly line: number;
  readonly action: string;
  readonly unit: 'ms' | 'share' | 'usd' | 'count' | 'score';
  /** Only requests of these are looked at; without them all of the service. */
  readonly promptVersion?: string;
  readonly model?: string;
};

export function subjectOf({ promptVersion, model }: AlertRule): string {
  return [
    'production',
    ...(promptVersion === undefined ? [] : [`prompt=${promptVersion}`]),
    ...(model === undefined ? [] : [`model=${model}`]),
  ].join(',');
}

export type AlertRuleId =
  | 'confidence-low'
  | 'hallucination-rated'
  | 'hallucination-unmentioned'
  | 'hallucination-unsupported'
  | 'latency-high'
  | 'cost-high'
  | 'concepts-few'
  | 'errors-high'
  | 'sample-too-small';

export const LATENCY_QUANTILE = 0.95;

/** Every rule looks back over all of these, in minutes: short ones see what is sudden, long ones what is small. */
export const WINDOWS = [5, 15, 60, 360, 1440] as const;
export const LONGEST_WINDOW = 1440;

const HALLUCINATION = {
  severity: 'critical',
  side: 'above',
  line: 0.02,
  action: 'pause deployments and investigate',
  unit: 'share',
} as const;

export const ALERT_RULES: readonly AlertRule[] = [
  {
    id: 'errors-high',
    severity: 'critical',
    what: 'Error rate',
    side: 'above',
    line: 0.01,
    action: 'check that the API is available',
    unit: 'share',
  },
  {
    id: 'latency-high',
    severity: 'warning',
    what: `p${100 * LATENCY_QUANTILE} latency`,
    side: 'above',
    line: 5000,
    action: 'check the performance of the API',
    unit: 'ms',
  },
  {
    id: 'confidence-low',
    severity: 'warning',
    what: 'Average confidence',
    side: 'below',
    line: 0.7,
    action: 'investigate prompt drift',
    unit: 'score',
  },
  {
    id: 'cost-high',
    severity: 'warning',
    what: 'Cost per decomposition',
    side: 'above',
    line: 0.1,
    action: 'review token usage',
    unit: 'usd',
  },
  {
    id: 'concepts-few',
    severity: 'warning',
    what: 'Concepts per topic',
    side: 'below',
    line: 10,
    action: 'check that extraction is complete',
    unit: 'count',
  },
  { ...HALLUCINATION, id: 'hallucination-rated', what: 'Share of concepts that raters call made up' },
  {
    ...HALLUCINATION,
    id: 'hallucination-unmentioned',
    what: 'Share of concepts that their text never mentions',
  },
  {
    ...HALLUCINATION,
    id: 'hallucination-unsupported',
    what: 'Share of quotes that do not occur in their text',
  },
  {
    id: 'sample-too-small',
    severity: 'warning',
    what: 'Sampled outputs with a rating or a known text',
    side: 'below',
    line: 30,
    action: 'invented concepts cannot be detected; sample more requests, send their text, or rate some',
    unit: 'count',
  },
];
