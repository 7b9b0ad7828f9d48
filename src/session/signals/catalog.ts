import { artifactProduced } from './artifact-produced.ts';
import { compactions } from './compactions.ts';
import { downstreamAcceptance } from './downstream-acceptance.ts';
import { endedNormally } from './ended-normally.ts';
import { errorRecovery } from './error-recovery.ts';
import { firstAttemptSuccess } from './first-attempt-success.ts';
import { modelAppropriateness } from './model-appropriateness.ts';
import type { Category, Signal } from './signal.ts';
import { stateChanged } from './state-changed.ts';
import { subagentSuccess } from './subagent-success.ts';
import { substantiveOutput } from './substantive-output.ts';
import { tokenEfficiency } from './token-efficiency.ts';
import { toolSuccessRate } from './tool-success-rate.ts';
import { turnEfficiency } from './turn-efficiency.ts';
import { userCorrections } from './user-corrections.ts';

export const CATEGORIES: readonly Category[] = ['completion', 'execution', 'efficiency', 'outcome'];

/** Every signal, in report order. */
export const SIGNALS: readonly Signal[] = [
  endedNormally,
  substantiveOutput,
  userCorrections,
  toolSuccessRate,
  firstAttemptSuccess,
  errorRecovery,
  subagentSuccess,
  tokenEfficiency,
  turnEfficiency,
  compactions,
  modelAppropriateness,
  artifactProduced,
  stateChanged,
  downstreamAcceptance,
];
