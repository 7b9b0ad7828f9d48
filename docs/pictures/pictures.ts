/** Picture → the command whose report it shows; the README names both. */
export const PICTURES: Readonly<Record<string, readonly string[]>> = {
  sessions: ['sessions', 'explain', '5555', 'examples/session'],
  decomposition: ['example'],
  workflow: ['workflow', 'report', 'examples/workflow'],
  dashboard: ['serve'],
};
