/** What the overall effectiveness is made of. */
import { AssayError } from '../../errors.ts';
import { CHOICES } from '../../operations/workflow/choices.ts';
import { didYouMean } from '../../suggest.ts';
import type { OesChoice, OesComponent } from '../../workflow/weights.ts';
import type { Arguments, Terminal } from '../command.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';

/** Parts with weights of their own, parts alone, or those of the configuration. */
export async function oesOption(args: Arguments, terminal: Terminal): Promise<OesChoice> {
  const text = textOf(args, 'oes');
  const parts = (text ?? '').split(',').map((part) => part.split('=').map((word) => word.trim()));
  if (text !== undefined && parts.some((part) => part.length > 1)) return weightsOf(parts);
  const { weights } = (await readSettings(args, terminal)).config.workflow;
  return { components: text === undefined ? CHOICES.oesComponents : knownParts(parts.flat()), weights };
}

function weightsOf(parts: readonly (readonly string[])[]): OesChoice {
  const components = knownParts(parts.map(([name = '']) => name));
  const values = parts.map(([, value = '']) => (value === '' ? Number.NaN : Number(value)));
  const sum = values.reduce((total, value) => total + value, 0);
  const isRight = values.every((value) => value >= 0 && value <= 1) && Math.abs(sum - 1) <= 1e-9;
  if (!isRight || new Set(components).size < parts.length || parts.some((part) => part.length !== 2)) {
    throw new AssayError(
      'USAGE',
      `--oes takes a weight for each part, which sum to 1, not "${sayParts(parts)}"`,
      {
        remedy: 'E.g. --oes wds=0.6,precision=0.4.',
      },
    );
  }
  const given = new Map(components.map((one, i) => [one, values[i] ?? 0]));
  const [wds = 0, precision = 0, dq = 0, te = 0] = CHOICES.oesComponents.map((one) => given.get(one));
  return { components, weights: { wds, precision, dq, te } };
}

function sayParts(parts: readonly (readonly string[])[]): string {
  return parts.map((part) => part.join('=')).join(',');
}

function knownParts(names: readonly string[]): readonly OesComponent[] {
  const unknown = names.find((name) => !CHOICES.oesComponents.some((one) => one === name));
  if (unknown !== undefined) {
    throw new AssayError(
      'USAGE',
      `--oes takes ${CHOICES.oesComponents.join(', ')}, not "${unknown}"${didYouMean(unknown, CHOICES.oesComponents)}`,
    );
  }
  return names as OesComponent[];
}
