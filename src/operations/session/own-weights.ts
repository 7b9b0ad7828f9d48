import { shortHash } from '../../session/session-key.ts';
import {
  DOCUMENTED_PROFILES,
  type OwnSessionWeights,
  type SessionWeights,
  SIGNAL_WEIGHTS,
} from '../../session/weights.ts';

/** As the scorer takes them; undefined where all of them are documented. */
export function ownWeightsOf({ profiles, signals }: OwnSessionWeights): SessionWeights | undefined {
  const own = sayOwnWeights({ profiles, signals });
  if (own.length === 0) return undefined;
  const flat = Object.assign({}, ...Object.values(signals)) as Record<string, number>;
  return { name: `yours@${shortHash([profiles, flat])}`, profiles, signals: flat, own };
}

/** Each weight that is yours, beside the documented one. */
function sayOwnWeights({ profiles, signals }: OwnSessionWeights): readonly string[] {
  return [...differences(profiles, DOCUMENTED_PROFILES), ...differences(signals, SIGNAL_WEIGHTS)];
}

type Table = Readonly<Record<string, Readonly<Record<string, number>>>>;

function differences(yours: Table, documented: Table): string[] {
  return Object.entries(documented).flatMap(([group, known]) => {
    const parts = Object.entries(known).flatMap(([name, weight]) => {
      const own = yours[group]?.[name];
      return own === undefined || own === weight
        ? []
        : [`${name} ${round(own)} (documented ${round(weight)})`];
    });
    return parts.length === 0 ? [] : [`${group}: ${parts.join(', ')}`];
  });
}

function round(weight: number): number {
  return Number(weight.toFixed(3));
}
