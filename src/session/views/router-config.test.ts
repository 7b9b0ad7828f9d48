import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { USUAL_WISHES } from '../routing/policy.ts';
import { policyOf } from '../routing/testing/policy-of.ts';
import { pastOf, WORLD } from '../routing/testing/world.ts';
import { routerConfig } from './router-config.ts';

const policy = policyOf(pastOf({ ...WORLD, days: 20 }, 3), {
  ...USUAL_WISHES,
  aim: 'quality',
  least: 5,
  floor: 0,
});
const shares = policy.types[0]?.arms.filter(({ share }) => share >= 0.005) ?? [];

describe('a policy as settings', () => {
  it('of LiteLLM has the models of a kind of work under one name, with their shares as weights', () => {
    const { model_list: list, router_settings: settings } = parse(routerConfig(policy, 'litellm'));
    expect(settings).toEqual({ routing_strategy: 'simple-shuffle' });
    expect(list).toHaveLength(shares.length);
    for (const { model_name: name, litellm_params: params } of list) {
      expect(name).toBe('assay-coding');
      const own = shares.find(({ model }) => model === params.model);
      expect(params.weight).toBe(Math.round((own?.share ?? 0) * 1000));
    }
  });

  it('of a router that tries models in order has the one to take first', () => {
    const { presets } = JSON.parse(routerConfig(policy, 'openrouter'));
    const [best] = shares.toSorted((a, b) => b.share - a.share);
    expect(presets['assay-coding'].models[0]).toBe(best?.model);
  });
});
