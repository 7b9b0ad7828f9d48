/** The public surface of the package, written by hand: what is not here may change without notice. */
export { type Config, defineConfig, type UserConfig } from './config.ts';
export { AssayError, type ErrorCode } from './errors.ts';
export type { Gate, GateVerdict } from './judge/gate.ts';
export type { JudgedCase, JudgedMetric, Validity, Verdict } from './judge/verdict.ts';
export type { Zone } from './judge/zone.ts';
export {
  type Estimate,
  estimate,
  type Measurement,
  type Metric,
  type Unmeasured,
  unmeasured,
} from './measure/metric.ts';
export { assess, type Job } from './pipeline.ts';
export { openStore } from './store/open.ts';
export type { Store } from './store/store.ts';
