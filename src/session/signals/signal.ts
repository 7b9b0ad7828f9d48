/** A signal: one observed quality of a run, 0–1 or unmeasured, with the lines that showed it. One signal, one file. */
import type { AgentRunFacts, Pointers } from '../evidence.ts';
import type { WorkOutcome } from '../outcomes/work-outcome.ts';
import type { TaskType } from '../profiles/task-type.ts';
import type { Unobservable } from '../unobservable.ts';
import type { Verification } from '../verify/verification.ts';

export type Reading =
  | {
      readonly measured: true;
      readonly value: number;
      readonly because: string;
      readonly lines: Pointers;
      /** The reading is about missing evidence, not observed evidence. */
      readonly thin?: true;
    }
  | { readonly measured: false; readonly reason: string };

export type Category = 'completion' | 'execution' | 'efficiency' | 'outcome';

/** The inputs of a signal besides the run itself. */
export type SignalContext = {
  readonly taskType: TaskType;
  readonly baseline: MedianEffort | undefined;
  /** Price tier of the model that did most of the run; undefined when the model or its price is unknown. */
  readonly modelTier: 'small' | 'medium' | 'large' | undefined;
  /** From `--outcomes`: the outcome of the session, 0–1. */
  readonly outcome: number | undefined;
  /** What the repository says about the session's work. */
  readonly work?: WorkOutcome | undefined;
  /** The result of the project's own check. */
  readonly verification?: Verification | undefined;
  /** What the source cannot show. */
  readonly unobservable?: ReadonlySet<Unobservable> | undefined;
};

/** Medians of one task type; a figure without data is absent. */
export type MedianEffort = {
  /** Output / all input tokens. */
  readonly tokenRatio?: number | undefined;
  /** Turns per request. */
  readonly turns?: number | undefined;
};

/** The reading for a session of which only the end was recorded. */
export const NO_STEPS = 'only the end of it was recorded';

/** The reading of a signal without a baseline. */
export function noBaseline(taskType: TaskType): Reading {
  return {
    measured: false,
    reason: `there is no baseline for ${taskType}; fit one from 30 runs`,
  };
}

export type Signal = {
  /** Equals its file name. */
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  /** Weight within its category. */
  readonly weight: number;
  /** How it is measured, in a sentence for the documentation. */
  readonly how: string;
  readonly read: (run: AgentRunFacts, context: SignalContext) => Reading;
};
