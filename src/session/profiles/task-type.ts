/** The six task types and how their sessions are weighted (Q = Σ weight × category). */
export const TASK_TYPES = ['coding', 'operations', 'research', 'chat', 'discovery', 'heartbeat'] as const;
export type TaskType = (typeof TASK_TYPES)[number];
