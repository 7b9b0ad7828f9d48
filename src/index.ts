/**
 * The public API of the package: everything not exported here may change without notice. Each instrument is also an
 * entry of its own (`assay/decomposition`, `assay/workflow`, `assay/session`) that does not load the others.
 */
export { type Config, defineConfig, loadConfig, type UserConfig } from './config.ts';
export * from './library/decomposition.ts';
export * from './library/monitor.ts';
export * from './library/schemas.ts';
export * from './library/session.ts';
export * from './library/workflow.ts';
export { type ListMetricsRequest, listMetrics } from './operations/list-metrics.ts';
