/**
 * Texts that are likely to slow a regular expression down, made from the expression itself: what leads to each of its
 * repetitions, then many of what the repetition takes, then something that ends the match in vain.
 */
import type { Random } from '../stats/random.ts';

type Part =
  | { readonly kind: 'char'; readonly chars: readonly string[] }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly options: readonly Part[] }
  | { readonly kind: 'group'; readonly index: number; readonly name?: string; readonly body: Part }
  | { readonly kind: 'same'; readonly as: string }
  | { readonly kind: 'look'; readonly behind: boolean; readonly wanted: boolean; readonly body: Part }
  | { readonly kind: 'repeat'; readonly min: number; readonly max: number; readonly body: Part };

type Repetition = {
  readonly body: Part;
  readonly before: readonly Part[];
  readonly after: readonly Part[];
};

/** Repetitions up to here cost the same at every size of a text. */
const FEW = 30;
const COMMON = [...' \n\taZ0_-./<>"\'`()[]{}*|#:,;$=\\!é—\u001b\u200b'];
const ENDS = ['', '\u0000', '\n\u0000'];

export function* attacksOn(regex: RegExp, size: number, random: Random): Generator<string> {
  const sample = (parts: readonly Part[]) => sampleOf(parts, random);
  const filled = (unit: string, length = size) =>
    unit.repeat(Math.ceil(length / Math.max(1, unit.length))).slice(0, length);
  for (const { body, before, after } of repetitions(parse(regex))) {
    const near = sample(after).slice(0, -1);
    const bodies =
      body.kind === 'char' ? body.chars.slice(0, 10) : [sample([body]), sample([body]), sample([body])];
    for (const pump of new Set([...bodies, near, near.slice(0, 1), `${bodies[0]}${near}`])) {
      if (pump === '') continue;
      const lead = sample(before);
      for (const end of [...ENDS, near]) yield lead + filled(pump) + end;
      yield filled(lead + pump);
      yield filled(lead, size / 2) + filled(pump, size / 2);
    }
  }
}

function* repetitions(
  part: Part,
  before: readonly Part[] = [],
  after: readonly Part[] = [],
): Generator<Repetition> {
  if (part.kind === 'sequence')
    for (const [at, one] of part.parts.entries())
      yield* repetitions(
        one,
        [...before, ...part.parts.slice(0, at)],
        [...part.parts.slice(at + 1), ...after],
      );
  if (part.kind === 'choice') for (const one of part.options) yield* repetitions(one, before, after);
  if (part.kind === 'group' || part.kind === 'look') yield* repetitions(part.body, before, after);
  if (part.kind !== 'repeat') return;
  if (part.max >= FEW) yield { body: part.body, before, after };
  yield* repetitions(part.body, before, after);
}

function sampleOf(parts: readonly Part[], random: Random): string {
  const taken = new Map<string, string>();
  const pick = <T>(from: readonly T[]) => from[random.below(Math.max(1, from.length))];
  const write = (part: Part | undefined): string => {
    switch (part?.kind) {
      case 'char':
        return pick(part.chars) ?? '';
      case 'sequence':
        return part.parts.map(write).join('');
      case 'choice':
        return write(pick(part.options));
      case 'group': {
        const text = write(part.body);
        taken.set(String(part.index), text);
        if (part.name !== undefined) taken.set(part.name, text);
        return text;
      }
      case 'same':
        return taken.get(part.as) ?? '';
      case 'look':
        return part.behind && part.wanted ? write(part.body) : '';
      case 'repeat':
        return Array.from({ length: Math.min(part.max, part.min + random.below(2)) }, () =>
          write(part.body),
        ).join('');
      default:
        return '';
    }
  };
  return parts.map(write).join('');
}

const EMPTY: Part = { kind: 'sequence', parts: [] };
const GROUP = /\(\?(?:<(?<name>[a-z_$][\w$]*)>|(?<behind><)?(?<look>[=!])|[a-z-]*:)|\(/iy;
const ATOM =
  /\\k<(?<name>\w+)>|\\(?<back>[1-9]\d*)|(?<edge>\\[bB]|[$^])|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c[a-z]|\\.|\[(?:\\.|[^\]\\])*\]|./isuy;
const TIMES = /(?:(?<sign>[*+?])|\{(?<min>\d+)(?<comma>,(?<max>\d*))?\})\??/y;

function parse({ source, flags: allFlags }: RegExp): Part {
  const flags = allFlags.replaceAll(/[^ius]/g, '');
  let at = 0;
  let groups = 0;
  const alphabet = [...new Set([...COMMON, ...(source.match(/[a-z0-9]/gi) ?? [])])];
  const take = (form: RegExp) => {
    form.lastIndex = at;
    const found = form.exec(source);
    at += found?.[0].length ?? 0;
    return found;
  };

  const choice = (): Part => {
    const options = [sequence()];
    while (source[at] === '|') {
      at += 1;
      options.push(sequence());
    }
    return options.length === 1 ? (options[0] ?? EMPTY) : { kind: 'choice', options };
  };

  const sequence = (): Part => {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(single()));
    return { kind: 'sequence', parts };
  };

  const single = (): Part => {
    const opened = take(GROUP);
    if (!opened) return atom();
    const { name, behind, look } = opened.groups ?? {};
    const index = look === undefined && (opened[0] === '(' || name !== undefined) ? ++groups : 0;
    const body = choice();
    at += 1;
    if (look !== undefined) return { kind: 'look', behind: behind !== undefined, wanted: look === '=', body };
    return index > 0 ? { kind: 'group', index, name, body } : body;
  };

  const atom = (): Part => {
    const found = take(ATOM);
    const { name, back, edge } = found?.groups ?? {};
    if (edge !== undefined) return EMPTY;
    if (name !== undefined || back !== undefined) return { kind: 'same', as: name ?? back ?? '' };
    const fits = new RegExp(`^(?:${found?.[0]})$`, flags);
    return { kind: 'char', chars: alphabet.filter((one) => fits.test(one)) };
  };

  const repeated = (body: Part): Part => {
    const found = take(TIMES);
    if (!found) return body;
    const { sign, min = sign === '+' ? '1' : '0', comma, max } = found.groups ?? {};
    const most =
      sign === '?' ? 1 : sign !== undefined || max === '' ? Number.POSITIVE_INFINITY : Number(max ?? min);
    return {
      kind: 'repeat',
      min: Number(min),
      max: comma === undefined && sign === undefined ? Number(min) : most,
      body,
    };
  };

  return choice();
}
