import type { ProductionGrain } from '../../decomposition/production/cell.ts';
import { type Production, productionOf } from '../../decomposition/production/production.ts';
import type { Ports } from '../ports.ts';
import { type WatchedRequest, watchedDecompositions } from './watched-decompositions.ts';

export type ReadProductionRequest = WatchedRequest & { readonly by: ProductionGrain };

export async function readProduction(request: ReadProductionRequest, ports: Ports): Promise<Production> {
  const { since, until, by, promptVersion, model } = request;
  const store = await ports.store('looking');
  const cells = await store.productionCells({ by, since, until, promptVersion, model });
  return productionOf(request, cells, await watchedDecompositions(request, store));
}
