/** The examples that come with the package, measured like anything else. */
import { fileURLToPath } from 'node:url';
import type { MatchLevel } from '../decomposition/evidence.ts';
import type { SuiteRun } from '../decomposition/suite-run.ts';
import type { Environment } from '../session/ingest/formats/format.ts';
import type { ScoredReviews } from '../workflow/summary.ts';
import type { Thresholds } from './decomposition/run-suite.ts';
import type { Ports } from './ports.ts';
import type { SessionList } from './session/list-sessions.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);

export type MeasureExampleRequest = {
  readonly thresholds: Thresholds;
  readonly matchLevel: MatchLevel;
  /** `false`: store nothing. */
  readonly keep?: boolean;
};

/** Each is loaded on demand. */
export async function measureExample(
  { thresholds, matchLevel, keep = true }: MeasureExampleRequest,
  ports: Ports,
): Promise<SuiteRun> {
  const { runSuite } = await import('./decomposition/run-suite.ts');
  return runSuite(
    {
      golden: examplePlace('decomposition/golden'),
      source: { kind: 'recorded', folder: examplePlace('decomposition/outputs') },
      subject: 'bundled example',
      matchLevel,
      // Only where the result rests on it: the example is there to be quick.
      semantic: matchLevel === 'semantic',
      keep,
      thresholds,
    },
    ports,
  );
}

export async function scoreExampleReviews(ports: Ports): Promise<ScoredReviews> {
  const { scoreReviews } = await import('./workflow/score-reviews.ts');
  const { OES_COMPONENTS } = await import('../workflow/weights.ts');
  return scoreReviews(
    {
      inputs: {
        truth: examplePlace('workflow/truth/webhook-relay.yaml'),
        runs: [examplePlace('workflow/runs/review-2')],
      },
      components: OES_COMPONENTS,
      minimums: new Map(),
      keep: false,
    },
    ports,
  );
}

export async function listExampleSessions(
  { home, environment }: { readonly home: string; readonly environment: Environment },
  ports: Ports,
): Promise<SessionList> {
  const { listSessions } = await import('./session/list-sessions.ts');
  const from = { paths: [examplePlace('session/shop')], home, environment };
  return listSessions({ from, sort: 'q', titles: { environment }, opinions: false }, ports);
}

export function examplePlace(name: string): string {
  return fileURLToPath(new URL(name, EXAMPLES));
}
