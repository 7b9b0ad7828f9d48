/** Every reader of something that others wrote, by the first part of its name: what one needs, another need not load. */
import type { Target } from './target.ts';

const GROUPS: Readonly<Record<string, () => Promise<readonly Target[]>>> = {
  session: async () => (await import('./targets/session.ts')).sessionTargets,
  decomposition: async () => (await import('./targets/decomposition.ts')).decompositionTargets,
  workflow: async () => (await import('./targets/workflow.ts')).workflowTargets,
  project: async () => (await import('./targets/project.ts')).projectTargets,
  ci: async () => (await import('./targets/ci.ts')).ciTargets,
  server: async () => (await import('./targets/server.ts')).serverTargets,
  store: async () => (await import('./targets/store.ts')).storeTargets,
};

export async function allTargets(): Promise<readonly Target[]> {
  return (await Promise.all(Object.values(GROUPS).map((load) => load()))).flat();
}

/** One target, or all of a group. */
export async function targetsNamed(name: string): Promise<readonly Target[]> {
  const [group = ''] = name.split('/');
  const targets = Object.hasOwn(GROUPS, group) ? await GROUPS[group]?.() : undefined;
  const named = targets?.filter((target) => group === name || target.name === name) ?? [];
  if (named.length === 0) throw new Error(`there is no target ${name}; npm run fuzz lists them`);
  return named;
}
