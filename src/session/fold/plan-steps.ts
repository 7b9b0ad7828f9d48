/** Tests that an agent plans to write, and removes from its to-do list without having begun them. */
import { hashText } from './hash.ts';
import type { PlanState, RunState } from './state.ts';

export const noPlan = (): PlanState => ({ names: [], pending: [], dropped: [], droppedLine: 0 });

const TESTS = /\b(?:write|add|create|implement)\b[^.;]{0,60}\btests?\b/i;
const MAX_STEPS = 200;
const LISTS = ['todos', 'plan', 'items', 'tasks'];
const TITLES = ['content', 'step', 'title', 'description', 'text'];

/**
 * A list that only loses steps drops its pending ones. A list that also gains steps is a new plan, and so is every list
 * after a user message. Only planned tests count: whether they were written is visible, other work may be done
 * unlisted.
 */
export function notePlan(run: RunState, input: unknown, line: number): void {
  const steps = stepsIn(input);
  if (steps === undefined) return;
  const before = run.seen.plan;
  const names = new Set(steps.map(({ name }) => name));
  const isShorter = [...names].every((name) => before.names.includes(name));
  const lost = isShorter ? before.pending.filter((name) => !names.has(name)) : [];
  // An empty list was cleared, not cut.
  const dropped = steps.length === 0 ? [] : lost;
  run.seen.plan = {
    names: [...names],
    pending: steps.filter(({ pending }) => pending).map(({ name }) => name),
    dropped: [...before.dropped.filter((name) => !names.has(name)), ...dropped],
    droppedLine: dropped.length > 0 ? line : before.droppedLine,
  };
}

function stepsIn(input: unknown): { name: number; pending: boolean }[] | undefined {
  const fields = (input ?? {}) as Record<string, unknown>;
  const list = LISTS.map((key) => fields[key]).find(Array.isArray);
  return list?.slice(0, MAX_STEPS).flatMap((step) => {
    const { status, ...rest } = (step ?? {}) as Record<string, unknown>;
    const title = TITLES.map((key) => rest[key]).find((value) => typeof value === 'string');
    return title === undefined
      ? []
      : [
          {
            name: hashText(title.slice(0, 500)),
            pending: status === 'pending' && TESTS.test(title.slice(0, 500)),
          },
        ];
  });
}
