import type { Ledger, LedgerEntry } from '../../prompts/ledger.ts';
import type { ExperimentReading } from './judge-experiment.ts';
import type { ExperimentOutcome } from './outcome.ts';
import type { AbPlan } from './plan.ts';

/** An experiment as the ledger of prompts knows it. */
export type KnownExperiment = {
  readonly plan: AbPlan;
  readonly startedAt: string;
  readonly startedBy: string;
  readonly stopped?: {
    readonly at: string;
    readonly who: string;
    readonly reasons: readonly string[];
    readonly outcome: ExperimentOutcome;
  };
};

/** An experiment with what its requests say so far, or said until it was stopped. */
export type ExperimentStatus = KnownExperiment & { readonly reading: ExperimentReading };

/** Newest first. */
export function experimentsIn({ entries }: Ledger): KnownExperiment[] {
  return entries
    .flatMap((entry): KnownExperiment[] => {
      if (entry.action !== 'experiment started' || entry.experiment === undefined) return [];
      const stop = entries.find(({ outcome }) => outcome?.id === entry.experiment?.id);
      return [
        {
          plan: entry.experiment,
          startedAt: entry.at,
          startedBy: entry.who,
          ...(stop && { stopped: stoppedBy(stop) }),
        },
      ];
    })
    .toReversed();
}

function stoppedBy({ at, who, reasons, outcome }: LedgerEntry): NonNullable<KnownExperiment['stopped']> {
  return { at, who, reasons, outcome: outcome as ExperimentOutcome };
}
