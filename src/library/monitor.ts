/** `assay/monitor`: watches a function that decomposes texts in production. */
export {
  type CallFacts,
  type MonitorCounts,
  type Monitored,
  type MonitoredCall,
  type MonitorOptions,
  monitor,
} from '../monitor/monitor.ts';
