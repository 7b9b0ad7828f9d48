import { SIGNAL_WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

export const subagentSuccess: Signal = {
  id: 'subagent-success',
  title: 'Sub-agent success',
  category: 'execution',
  weight: SIGNAL_WEIGHTS.execution['subagent-success'],
  how: 'Sub-agents that completed / those that completed or failed; 1 when none was spawned; unmeasured when no result is known, or when the source cannot show sub-agents.',
  read: ({ spawned, spawnsCompleted, spawnsFailed }, { unobservable }) => {
    if (spawned === 0 && unobservable?.has('sub-agents') === true)
      return { measured: false, reason: 'the source does not show sub-agents' };
    if (spawned === 0) return { measured: true, value: 1, because: 'no sub-agent was spawned', lines: [] };
    const known = spawnsCompleted + spawnsFailed;
    if (known === 0) return { measured: false, reason: `the results of ${spawned} sub-agents are unknown` };
    const rest = spawned > known ? `, ${spawned - known} unknown` : '';
    return {
      measured: true,
      value: spawnsCompleted / known,
      because: `${spawnsCompleted} of ${known} sub-agents completed${rest}`,
      lines: [],
    };
  },
};
