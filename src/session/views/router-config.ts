/** A policy as the settings of programs that route requests. A kind of work is a name that clients ask for. */
import { stringify } from 'yaml';
import type { RoutePolicy, TypeRoute } from '../routing/policy.ts';

export const ROUTERS = ['litellm', 'openrouter'] as const;
export type Router = (typeof ROUTERS)[number];

/** A smaller share is not worth a line; what the others have is made whole again. */
const LEAST_SHARE = 0.005;
const PARTS = 1000;
/** So many may be tried one after the other. */
const MOST_FALLBACKS = 3;

export function routerConfig(policy: RoutePolicy, router: Router): string {
  const routed = policy.types.filter(({ answer }) => answer === 'route');
  return router === 'litellm' ? liteLlm(policy, routed) : openRouter(policy, routed);
}

function said({ name, types }: RoutePolicy): string {
  const others = types.filter(({ answer }) => answer !== 'route').map(({ taskType }) => taskType);
  const missing = others.length === 0 ? '' : ` There is no answer, and no name, for ${others.join(', ')}.`;
  return `${name}, made by assay route. Models are named as in the transcripts: put the provider in front where one is wanted.${missing}`;
}

/** Deployments of one name are drawn by their weights (routing strategy simple-shuffle). */
function liteLlm(policy: RoutePolicy, routed: readonly TypeRoute[]): string {
  const list = routed.flatMap((route) =>
    wantedOf(route).map(({ model, share }) => ({
      model_name: nameOf(route),
      litellm_params: { model, weight: Math.round(share * PARTS) },
    })),
  );
  const settings = { model_list: list, router_settings: { routing_strategy: 'simple-shuffle' } };
  return `# ${said(policy)}\n${stringify(settings)}`;
}

/** Models in the order in which they are tried: such routers do not draw, so the first is the one to take. */
function openRouter(policy: RoutePolicy, routed: readonly TypeRoute[]): string {
  const presets = Object.fromEntries(
    routed.map((route) => [
      nameOf(route),
      {
        models: wantedOf(route)
          .map(({ model }) => model)
          .slice(0, MOST_FALLBACKS),
      },
    ]),
  );
  return `${JSON.stringify({ $comment: said(policy), presets }, null, 2)}\n`;
}

function nameOf({ taskType }: TypeRoute): string {
  return `assay-${taskType}`;
}

function wantedOf({ arms }: TypeRoute) {
  return arms.filter(({ share }) => share >= LEAST_SHARE).toSorted((a, b) => b.share - a.share);
}
