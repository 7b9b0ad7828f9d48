/** What is said of a regression, to people and on the wire. */

import type { AssayError, WayOut } from '../errors.ts';
import type { Noise, RegressionAction } from '../judge/regression-action.ts';
import { commandLine, optionWords } from './action.ts';

/** One line. */
export function actionText(action: RegressionAction): string {
  switch (action.because) {
    case 'not measured alike':
      return 'nothing can be concluded: the two runs were not measured alike';
    case 'no value on both sides':
      return 'nothing can be concluded: no gated metric has a value on both sides';
    case 'cases not measured':
      return `block the merge: ${action.cases} of the cases could not be measured`;
    case 'entered fail':
      return `block the merge, an investigation is mandatory: ${action.metrics.join(', ')} entered the fail zone`;
    case 'fell':
      return `block the merge, investigate before proceeding: ${action.metrics.join(', ')}`;
    case 'fell a little':
      return `investigate, document the reason: ${action.metrics.join(', ')}`;
    case 'fell beside the gate':
      return `investigate: ${action.metrics.join(', ')} got worse, which the gate does not hold`;
    case 'approved':
      return 'proceed: what got worse was approved or has its reason';
    case 'nothing fell':
      return 'proceed normally';
  }
}

export function noiseNotes(noise: Noise): string[] {
  if (noise === 'too few to tell')
    return ['Too few cases changed to tell these changes from noise; it takes six.'];
  return noise.map(({ title, points, cases, p }) => {
    const by = `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1)} points`;
    return `${title}: ${by} is within noise over ${cases} paired cases (p = ${p.toFixed(2)}).`;
  });
}

/** Steps become commands that work as printed; options are named as they are typed. */
export function remedyText({ ways, remedy }: AssayError): string {
  if (ways.length === 0) return remedy;
  const text = ways.map(wayText).join('; or ');
  const [last] = ways.slice(-1);
  if (last?.list !== undefined) return `${text}:`;
  return last?.step === undefined && last?.options === undefined ? `${text}.` : text;
}

/** For whoever asked a server: a step is a command there, too, but there are no options to add to what was asked. */
export function askersRemedy({ ways, remedy }: AssayError): string {
  if (!ways.some(({ step }) => step !== undefined)) return remedy;
  const text = ways
    .map(({ say, step }) => wayText(step === undefined ? { say } : { say, step }))
    .join('; or ');
  return ways.at(-1)?.step === undefined ? `${text}.` : text;
}

function wayText({ say, step, options }: WayOut): string {
  if (step !== undefined) return `${say}: ${commandLine(step)}`;
  return options === undefined ? say : `${say}: ${optionWords(options).join(' ')}`;
}
