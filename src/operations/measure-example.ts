import { fileURLToPath } from 'node:url';
import type { MatchLevel } from '../decomposition/evidence.ts';
import type { SuiteRun } from '../decomposition/suite-run.ts';
import { runSuite, type Thresholds } from './decomposition/run-suite.ts';
import type { Ports } from './ports.ts';

const EXAMPLE = new URL('../../examples/decomposition/', import.meta.url);

export type MeasureExampleRequest = {
  readonly thresholds: Thresholds;
  readonly matchLevel: MatchLevel;
  /** `false`: nothing of it goes to the store. */
  readonly keep?: boolean;
};

/** The example that comes with the package, measured like any other suite. */
export function measureExample(
  { thresholds, matchLevel, keep = true }: MeasureExampleRequest,
  ports: Ports,
): Promise<SuiteRun> {
  return runSuite(
    {
      golden: folder('golden'),
      source: { kind: 'recorded', folder: folder('outputs') },
      subject: 'bundled example',
      matchLevel,
      // Only where the result rests on it: the example is there to be quick.
      semantic: matchLevel === 'semantic',
      keepWords: true,
      keep,
      thresholds,
    },
    ports,
  );
}

function folder(name: string): string {
  return fileURLToPath(new URL(name, EXAMPLE));
}
