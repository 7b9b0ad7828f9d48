/** What was said of a request by options alone. */
import { AssayError } from '../../errors.ts';
import type { Ports } from '../../operations/ports.ts';
import { rateDecomposition } from '../../operations/production/rate-decomposition.ts';
import type { Arguments, Terminal } from '../command.ts';
import { textOf } from '../text-of.ts';

export async function rateOne(
  id: string,
  author: string,
  args: Arguments,
  { env, note }: Terminal,
  ports: Ports,
): Promise<number> {
  if (args.values.acceptable === true && args.values.unacceptable === true)
    throw new AssayError('USAGE', 'a request is acceptable or it is not: give one of the two');
  const ratings = await rateDecomposition(
    {
      id,
      author,
      acceptable: args.values.acceptable === true,
      reason: textOf(args, 'reason'),
      concepts: conceptsSaid(args),
      environment: env,
    },
    ports,
  );
  note(
    `Kept: ${ratings.length === 1 ? 'an opinion' : `${ratings.length} opinions`} on ${id}, by ${author}.\n`,
  );
  return 0;
}

function conceptsSaid(args: Arguments) {
  const labels = (name: string) =>
    (textOf(args, name) ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
  const made = labels('fabricated');
  return [
    ...made.map((label) => ({ label, acceptable: false, fabricated: true })),
    ...labels('wrong')
      .filter((label) => !made.includes(label))
      .map((label) => ({ label, acceptable: false })),
  ];
}
