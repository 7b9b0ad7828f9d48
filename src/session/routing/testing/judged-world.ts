import { atOnce } from '../../testing/at-once.ts';
import { policySteps } from '../policy.ts';
import { replayBy } from '../replay.ts';
import { pastOf, trueChange, WISHES, type World } from './world.ts';

/** One past of a world, what the replay says of it, and whether that is so. */
export function judgedWorld(world: World, seed: number) {
  const cells = pastOf(world, seed);
  const truth = { n: 0, q: 0, costUsd: 0 };
  const judged = atOnce(
    replayBy(
      cells,
      function* (others) {
        const policy = yield* policySteps(others, WISHES);
        const learnt = new Set(others);
        const own = trueChange(
          world,
          cells.filter((cell) => !learnt.has(cell)),
          policy,
        );
        truth.n += own.n;
        truth.q += own.q;
        truth.costUsd += own.costUsd;
        return policy;
      },
      WISHES.margin,
    ),
  );
  const covers = (of: 'q' | 'costUsd') => {
    const { low, high } = judged.change?.[of].interval ?? { low: Number.NaN, high: Number.NaN };
    const true_ = truth[of] / truth.n;
    return low <= true_ && true_ <= high;
  };
  return { ...judged, coversQ: covers('q'), coversCost: covers('costUsd') };
}
