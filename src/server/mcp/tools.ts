/**
 * What an agent may ask: reading only. Each tool is an address of the API, so that an agent sees what a page sees, under the
 * same rules; a name and a sentence that say when to ask are all that is added.
 */
export type McpTool = {
  readonly name: string;
  readonly title: string;
  /** The path of a GET route; parameters of its path and query are the arguments. */
  readonly path: string;
  /** When an agent asks it, and what comes back. */
  readonly say: string;
  /** Defaults for agents, which pay for what they read. */
  readonly usual?: Readonly<Record<string, string>>;
};

export const MCP_TOOLS: readonly McpTool[] = [
  {
    name: 'overview',
    title: 'Overview',
    path: '/api/v1/overview',
    say: 'The state of LLM work here: sessions, extractions and reviews at a glance, what changed and what needs attention. Call this first.',
  },
  {
    name: 'list_sessions',
    title: 'List sessions',
    path: '/api/v1/sessions',
    say: 'Scored agent sessions, paged: Q (0 to 1), tier, whether the result was verified, cost, model, agent, project and task type. Narrow by time, agent, model, project, task_type, tier or search; sort lowest_q, costliest or most_worrying to find trouble.',
    usual: { limit: '20' },
  },
  {
    name: 'explain_session',
    title: 'Explain a session',
    path: '/api/v1/sessions/{key}/explanation',
    say: 'Why one session got its score: each signal, what it cost, and the lines of the transcript behind it.',
  },
  {
    name: 'needs_attention',
    title: 'Sessions that need attention',
    path: '/api/v1/sessions/attention',
    say: 'Sessions that need attention, at most seven: what went wrong, the line that proves it, and the cost.',
  },
  {
    name: 'risky_actions',
    title: 'Risky actions',
    path: '/api/v1/sessions/risks',
    say: 'Actions that could destroy work or hide a fault: discarded changes, deleted files, weakened tests, skipped hooks.',
    usual: { limit: '20' },
  },
  {
    name: 'sessions_digest',
    title: 'What happened lately',
    path: '/api/v1/sessions/digest',
    say: 'What happened in the last day or week of sessions, and what changed since the period before.',
  },
  {
    name: 'quality_per_dollar',
    title: 'Quality per dollar',
    path: '/api/v1/sessions/roi',
    say: 'Mean Q, cost and Q per dollar by model, agent, task_type, project, day, week or month, with intervals.',
  },
  {
    name: 'cost_quality_frontier',
    title: 'Cost–quality frontier',
    path: '/api/v1/sessions/frontier',
    say: 'The cost–quality frontier of models per task type, and whether the more expensive model is worth it.',
  },
  {
    name: 'route',
    title: 'Which model for which task',
    path: '/api/v1/route',
    say: 'Recommends a model per task type by past quality and cost; replay=true shows what the policy would have given.',
  },
  {
    name: 'list_runs',
    title: 'List runs',
    path: '/api/v1/runs',
    say: 'Runs of the decomposition and workflow instruments, the newest first, with verdict and metrics.',
    usual: { limit: '20' },
  },
  {
    name: 'read_run',
    title: 'Read a run',
    path: '/api/v1/runs/{id}',
    say: 'One run with its metrics, verdict and cases.',
  },
  {
    name: 'compare_runs',
    title: 'Compare two runs',
    path: '/api/v1/decomposition/compare',
    say: 'Two runs over golden cases side by side: each metric with its change, the interval and whether it is more than noise.',
  },
  {
    name: 'compare_workflows',
    title: 'Compare two workflows',
    path: '/api/v1/workflow/compare',
    say: 'Two review workflows of one experiment: which finds more, with intervals.',
  },
  {
    name: 'list_alerts',
    title: 'List alerts',
    path: '/api/v1/alerts',
    say: 'Alerts with their state, rule, severity and message.',
    usual: { limit: '20' },
  },
  {
    name: 'list_metrics',
    title: 'What is measured',
    path: '/api/v1/metrics',
    say: 'Every metric with its meaning, formula and thresholds.',
  },
];
