/** Weights as two rows of numbers, which is what an optimiser moves, and back. */
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { CATEGORIES, SIGNALS } from '../signals/catalog.ts';
import { type CategoryWeights, DOCUMENTED_PROFILES, type SessionWeights } from '../weights.ts';

export type WeightVector = {
  /** Task type × category. */
  readonly profiles: Float64Array;
  /** Per signal, within its category. */
  readonly signals: Float64Array;
};

/** Places per task type. */
export const WIDTH = CATEGORIES.length;

export function documentedVector(): WeightVector {
  return vectorOf({ name: '', profiles: DOCUMENTED_PROFILES });
}

export function vectorOf({ profiles, signals }: SessionWeights): WeightVector {
  return {
    profiles: Float64Array.from(
      TASK_TYPES.flatMap((type) => CATEGORIES.map((category) => profiles[type][category])),
    ),
    signals: Float64Array.from(SIGNALS, ({ id, weight }) =>
      signals !== undefined && Object.hasOwn(signals, id) ? (signals[id] ?? weight) : weight,
    ),
  };
}

/** Signal weights are written only where they differ from the documented ones. */
export function weightsOf(vector: WeightVector, name: string): SessionWeights {
  const profileOf = (type: TaskType): CategoryWeights => {
    const at = TASK_TYPES.indexOf(type) * WIDTH;
    const [completion = 0, execution = 0, efficiency = 0, outcome = 0] = vector.profiles.slice(
      at,
      at + WIDTH,
    );
    return { completion, execution, efficiency, outcome };
  };
  const changed = SIGNALS.flatMap(({ id, weight }, i) => {
    const own = vector.signals[i] ?? weight;
    return own === weight ? [] : [[id, own] as const];
  });
  return {
    name,
    profiles: {
      coding: profileOf('coding'),
      operations: profileOf('operations'),
      research: profileOf('research'),
      chat: profileOf('chat'),
      discovery: profileOf('discovery'),
      heartbeat: profileOf('heartbeat'),
    },
    ...(changed.length > 0 && { signals: Object.fromEntries(changed) }),
  };
}
