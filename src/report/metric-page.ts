import type { Metric } from '../measure/metric.ts';

type Declaration = Omit<Metric<never>, 'compute' | 'example'> & {
  readonly example: { readonly given: string; readonly value: number };
};

/** One metric explained: the page in the documentation and what the command line shows. */
export function sayMetric(metric: Declaration): string {
  const { zones, range, aim } = metric;
  const direction = aim ? 'neither end is better' : `${metric.better} is better`;
  const [at, past] = metric.better === 'higher' ? ['at least', 'below'] : ['at most', 'above'];
  return [
    `# ${metric.title}`,
    '',
    metric.question,
    '',
    `- id: \`${metric.id}\``,
    `- formula: ${metric.formula}`,
    `- unit: ${metric.unit}, from ${number(range[0])} to ${number(range[1])}, ${direction}`,
    ...(aim === undefined ? [] : [`- aimed at: ${number(aim[0])} to ${number(aim[1])}`]),
    ...(zones === undefined
      ? ['- zones: none; it is shown, not gated']
      : [
          `- zones: fail ${past} ${number(zones.fail)}, pass ${at} ${number(zones.target)}, excellent ${at} ${number(zones.excellent)}`,
        ]),
    `- worked example: ${metric.example.given} → ${number(metric.example.value)}`,
    '',
  ].join('\n');
}

/** 0.15000000000000002 is noise of the arithmetic, not information. */
function number(value: number): string {
  return String(Number(value.toPrecision(12)));
}
