/** What all three instruments share: measurements, verdicts, ports, the store and the report. */

export type { ListedRun } from '../api/schema/decomposition.ts';
export { AssayError, type ErrorCode, type WayOut } from '../errors.ts';
export type { Approval, Change, Comparison } from '../judge/compare.ts';
export type { Check, Gate, GateVerdict } from '../judge/gate.ts';
export { type JudgedRun, type Judgement, judgeAgain, type OtherLines } from '../judge/judgement.ts';
export type { Trend } from '../judge/trend.ts';
export type { JudgedCase, JudgedMetric, Validity, Verdict } from '../judge/verdict.ts';
export type { Zone } from '../judge/zone.ts';
export {
  type Estimate,
  estimate,
  type Measurement,
  type Metric,
  metricKey,
  type Unit,
  type Unmeasured,
  unmeasured,
  type Zones,
} from '../measure/metric.ts';
export { type AlertChange, type ChangeAlertRequest, changeAlert } from '../operations/alerts/change-alert.ts';
export {
  type AlertStory,
  type ListAlertsRequest,
  listAlerts,
  readAlert,
} from '../operations/alerts/read-alerts.ts';
export { defaultPorts, type OpenPorts, type PortChoices } from '../operations/default-ports.ts';
export { listRuns } from '../operations/list-runs.ts';
export type { Ports, Progress } from '../operations/ports.ts';
export { type ReadRunRequest, readRun, type StoredRun } from '../operations/read-run.ts';
export { type Action, commandLine, type Given } from '../report/action.ts';
export type { Chart } from '../report/chart.ts';
export { renderView, type ViewFormat } from '../report/format.ts';
export type { Block, Cell, TableBlock, View } from '../report/view.ts';
export { openStore, storeExists } from '../store/open.ts';
export { quantileOfBins, type RollupQuery, type SessionRollup } from '../store/rollup.ts';
export type { AlertEvent, AlertState, RunRecord, RunSummary, Store, TrackedAlert } from '../store/store.ts';
