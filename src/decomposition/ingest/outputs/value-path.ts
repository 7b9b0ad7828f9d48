/** `entities[].name`: where values lie in any JSON. `[]` is every item of a list, a number one of them. */
import { AssayError } from '../../../errors.ts';

export type ValuePath = readonly (string | 'every')[];

/** More steps than any real output has. */
const MOST_STEPS = 20;
/** Far beyond what is read of any list; what is larger is a fault of the mapping. */
const MOST_VALUES = 100_000;

const EVERY = 'every';

export function parsePath(text: string, where: string): ValuePath {
  const steps = text
    .trim()
    .split('.')
    .flatMap((step) => {
      const name = step.replace(/(?<!\[\])(?:\[\])+$/, '');
      const lists = (step.length - name.length) / 2;
      return [...(name === '' ? [] : [`=${name}`]), ...Array.from({ length: lists }, () => EVERY)];
    });
  if (text.trim() === '' || steps.length > MOST_STEPS || steps.some((step) => /[[\]]/.test(step))) {
    throw new AssayError('USAGE', `${where}: "${text}" is no path; one looks like entities[].name`);
  }
  return steps;
}

/** Every value that lies there; nothing where the path leads nowhere. */
export function valuesAt(value: unknown, path: ValuePath, where = 'the output'): unknown[] {
  let here: unknown[] = [value];
  for (const step of path) {
    here = here.flatMap((one) =>
      step === EVERY ? (Array.isArray(one) ? one : []) : fieldOf(one, step.slice(1)),
    );
    if (here.length > MOST_VALUES)
      throw new AssayError('INPUT_INVALID', `${where}: a path leads to more than ${MOST_VALUES} values`);
  }
  return here;
}

function fieldOf(value: unknown, name: string): unknown[] {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? [(value as Record<string, unknown>)[name]]
    : [];
}

/** The first value that is there and says something. */
export function valueAt(value: unknown, path: ValuePath): unknown {
  return valuesAt(value, path).find((one) => one !== undefined && one !== null);
}
