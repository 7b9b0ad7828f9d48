/** What is remembered between the records of a Kimi session. */
import type { ResultEvent, UnplacedEvent, Usage } from '../../../event.ts';
import { asCount, asObject } from '../../json/json-fields.ts';

export type KimiState = {
  readonly subagent: boolean;
  model: string | undefined;
  provider: string | undefined;
  /** The usage of the last step: it is written a second time, apart from the step. */
  counted: string | undefined;
  /** Calls to which a person said no. */
  denied: Map<string, 1>;
  /** In the Kimi CLI: a question about a permission → the call it is about. */
  requests: Map<string, string>;
  /** The step that is under way. */
  step: string | undefined;
  /** In the Kimi CLI: how many steps have begun. */
  steps: number;
  /** In the Kimi CLI: a call whose arguments are still being written. */
  growing: { callId: string; tool: string; input: string } | undefined;
};

export type SendKimi = (event: UnplacedEvent) => void;

export function startKimi(subagent: boolean): KimiState {
  return {
    subagent,
    model: undefined,
    provider: undefined,
    counted: undefined,
    denied: new Map(),
    requests: new Map(),
    step: undefined,
    steps: 0,
    growing: undefined,
  };
}

/** The input is without what was read from or written to a cache; the output has the reasoning. */
export function kimiUsage(
  input: unknown,
  output: unknown,
  cacheRead: unknown,
  cacheWrite: unknown,
): Usage | undefined {
  const given = asCount(input);
  const said = asCount(output);
  if (given === undefined && said === undefined) return undefined;
  return {
    input: given ?? 0,
    output: said ?? 0,
    cacheRead: asCount(cacheRead) ?? 0,
    cacheWrite: asCount(cacheWrite) ?? 0,
  };
}

/** Commands that fail are marked as errors, too. */
export function kimiOutcome(result: unknown, flag: 'isError' | 'is_error'): Pick<ResultEvent, 'ok'> {
  const fields = asObject(result);
  return fields === undefined ? {} : { ok: fields[flag] !== true };
}
