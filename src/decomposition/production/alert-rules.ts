export type AlertRule = {
  readonly id: AlertRuleId;
  readonly severity: 'warning' | 'critical';
  readonly what: string;
  readonly side: 'above' | 'below';
  readonly line: number;
  /** How much time is looked at; more of it where that has too few requests (`windowsOf`). */
  readonly minutes: number;
  /** With fewer requests, or fewer sampled ones, nothing is said. */
  readonly minimum: number;
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

const HALLUCINATION = {
  severity: 'critical',
  side: 'above',
  line: 0.02,
  minutes: 1440,
  minimum: 30,
  action: 'pause deployments and investigate',
  unit: 'share',
} as const;

const WARNING = { severity: 'warning', minimum: 30 } as const;

export const ALERT_RULES: readonly AlertRule[] = [
  {
    id: 'errors-high',
    severity: 'critical',
    what: 'Error rate',
    side: 'above',
    line: 0.01,
    minutes: 15,
    minimum: 30,
    action: 'check that the API is available',
    unit: 'share',
  },
  {
    ...WARNING,
    id: 'latency-high',
    what: `p${100 * LATENCY_QUANTILE} latency`,
    side: 'above',
    line: 5000,
    minutes: 15,
    action: 'check the performance of the API',
    unit: 'ms',
  },
  {
    ...WARNING,
    id: 'confidence-low',
    what: 'Average confidence',
    side: 'below',
    line: 0.7,
    minutes: 60,
    action: 'investigate prompt drift',
    unit: 'score',
  },
  {
    ...WARNING,
    id: 'cost-high',
    what: 'Cost per decomposition',
    side: 'above',
    line: 0.1,
    minutes: 60,
    action: 'review token usage',
    unit: 'usd',
  },
  {
    ...WARNING,
    id: 'concepts-few',
    what: 'Concepts per topic',
    side: 'below',
    line: 10,
    minutes: 60,
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
    what: 'Share of quotes that do not stand in their text',
  },
  {
    id: 'sample-too-small',
    severity: 'warning',
    what: 'Sampled outputs that somebody rated or whose text was seen',
    side: 'below',
    line: 30,
    minutes: 1440,
    // So many requests have 30 in a sample of 5%.
    minimum: 600,
    action:
      'whether concepts are made up cannot be told; sample more of them, send their text along, or rate some',
    unit: 'count',
  },
];

const LONGER_MINUTES = [60, 360, 1440];

/** A service with few requests is looked at over a longer time, up to a day, until there are enough to tell. */
export function windowsOf({ minutes }: AlertRule): readonly number[] {
  return [minutes, ...LONGER_MINUTES.filter((longer) => longer > minutes)];
}
