import type { ProductionGrain } from '../../decomposition/production/cell.ts';
import { type Production, productionOf } from '../../decomposition/production/production.ts';
import type { Ports } from '../ports.ts';
import { productionEvents } from './production-events.ts';
import { type WatchedRequest, watchedDecompositions } from './watched-decompositions.ts';

export type ReadProductionRequest = WatchedRequest & {
  readonly by: ProductionGrain;
  /** Where experiments are looked for; without it they are left out. */
  readonly cwd?: string | undefined;
};

export async function readProduction(request: ReadProductionRequest, ports: Ports): Promise<Production> {
  const { since, until, by, promptVersion, model } = request;
  const store = await ports.store('looking');
  const cells = await store.productionCells({ by, since, until, promptVersion, model });
  const watched = await watchedDecompositions(request, store);
  return productionOf(request, cells, watched, await productionEvents(request, cells, ports));
}
