import { describe, expect, it } from 'vitest';
import { configSchema } from '../../config.ts';
import { SIGNALS } from '../../session/signals/catalog.ts';
import { SIGNAL_WEIGHTS } from '../../session/weights.ts';
import { ownWeightsOf } from './scoring-options.ts';

function configured(session: object) {
  const { weights, signalWeights } = configSchema.parse({ session }).session;
  return ownWeightsOf({ profiles: weights, signals: signalWeights });
}

describe('weights of the configuration', () => {
  it('are the documented ones where nothing else is said', () => {
    expect(configured({})).toBeUndefined();
    expect(configured({ weights: { coding: { outcome: 0.5 } } })).toBeUndefined();
  });

  it('have a name of their own and say what is yours beside what is documented', () => {
    const own = configured({
      weights: { coding: { completion: 0.1, outcome: 0.55 } },
      signalWeights: { outcome: { 'state-changed': 0.1, 'downstream-acceptance': 0.6 } },
    });
    expect(own?.name).toMatch(/^yours@[0-9a-f]{8}$/);
    expect(own?.own).toEqual([
      'coding: completion 0.1 (documented 0.15), outcome 0.55 (documented 0.5)',
      'outcome: state-changed 0.1 (documented 0.4), downstream-acceptance 0.6 (documented 0.3)',
    ]);
    expect(own?.signals).toMatchObject({ 'state-changed': 0.1, 'tool-success-rate': 0.5 });
  });

  it('sum to 1, and know every signal', () => {
    const parsed = configSchema.safeParse({
      session: { signalWeights: { outcome: { 'state-changed': 1 } } },
    });
    expect(parsed.error?.issues[0]?.message).toMatch(/sum to 1.*these sum to 1\.6/);
    const known = Object.values(SIGNAL_WEIGHTS).flatMap((category) => Object.keys(category));
    expect(known.toSorted()).toEqual(SIGNALS.map(({ id }) => id).toSorted());
  });
});
