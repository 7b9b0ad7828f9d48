import type { AgentRunFacts } from '../evidence.ts';

export type Complexity = 'simple' | 'moderate' | 'complex';

type Measure = {
  readonly name: string;
  readonly of: (run: AgentRunFacts) => number;
  /** Simple up to here. */
  readonly simple: number;
  /** Complex from here on. */
  readonly complex: number;
};

/**
 * How much work a task turned out to be, seen afterwards. Lines chosen so that one look-up is simple and a feature
 * across several files is complex; the largest of the five decides, because a hard task shows in one of them.
 */
const MEASURES: readonly Measure[] = [
  { name: 'tool calls', of: (run) => run.tools.calls, simple: 5, complex: 30 },
  { name: 'files changed', of: filesOf, simple: 1, complex: 5 },
  { name: 'turns', of: (run) => run.turns, simple: 3, complex: 12 },
  { name: 'characters written', of: (run) => run.outputChars, simple: 2500, complex: 15000 },
  { name: 'sub-agents', of: (run) => run.spawned, simple: 0, complex: 4 },
];

export function complexityOf(run: AgentRunFacts): {
  readonly complexity: Complexity;
  readonly reason: string;
} {
  const complex = MEASURES.find((measure) => measure.of(run) >= measure.complex);
  if (complex !== undefined) return { complexity: 'complex', reason: say(complex, run) };
  const moderate = MEASURES.find((measure) => measure.of(run) > measure.simple);
  if (moderate !== undefined) return { complexity: 'moderate', reason: say(moderate, run) };
  return {
    complexity: 'simple',
    reason: `${run.tools.calls} tool calls, ${run.turns} turns, ${run.outputChars} characters`,
  };
}

function say({ name, of }: Measure, run: AgentRunFacts): string {
  return `${of(run)} ${name}`;
}

function filesOf({ artifacts }: AgentRunFacts): number {
  return artifacts.find((one) => one.artifact === 'file')?.made ?? 0;
}
