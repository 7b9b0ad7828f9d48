import type { Environment } from '../session/ingest/formats/format.ts';
import { examplePlace, type MeasureExampleRequest, measureExample } from './measure-examples.ts';
import type { Ports } from './ports.ts';

export type StoreExamplesRequest = Omit<MeasureExampleRequest, 'keep'> & {
  readonly home: string;
  readonly environment: Environment;
};

/** Puts the bundled examples of all three instruments into a store, so that there is something to look at. */
export async function storeExamples(request: StoreExamplesRequest, ports: Ports): Promise<void> {
  const { home, environment, ...decomposition } = request;
  const { syncSessions } = await import('./session/ask-sessions.ts');
  const from = { paths: [examplePlace('session')], home, environment };
  await syncSessions({ from }, ports);
  await measureExample({ ...decomposition, keep: true }, ports);
  const { scoreReviews } = await import('./workflow/score-reviews.ts');
  const { OES_COMPONENTS } = await import('../workflow/weights.ts');
  const truth = examplePlace('workflow/truth/webhook-relay.yaml');
  for (const review of ['review-1', 'review-2']) {
    const inputs = { truth, runs: [examplePlace(`workflow/runs/${review}`)] };
    await scoreReviews({ inputs, components: OES_COMPONENTS, minimums: new Map() }, ports);
  }
}
