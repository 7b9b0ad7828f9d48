/**
 * Spans of tools and the calls that asked for them. Most spans carry the call's id; where they do not, the tool, what
 * it was given and the order tell which call it is, so that no call counts twice.
 */
import { roleOf, toolFacts } from './facts.ts';
import { outputMessages } from './messages.ts';
import type { OtlpSpan } from './span.ts';

export type AskedCall = {
  readonly callId: string;
  /** When the model had asked for it: it cannot have begun before. */
  readonly at: number;
};

type Run = {
  readonly span: OtlpSpan;
  readonly tool: string;
  readonly callId: string | undefined;
  readonly input: string;
  readonly to: number;
};
type Open = AskedCall & { readonly tool: string; readonly input: string; readonly from: number };

/** By the span of the tool. `sessionOf`: calls are matched within their session only. */
export function callsBySpan(
  spans: readonly OtlpSpan[],
  sessionOf: (span: OtlpSpan) => string,
): ReadonlyMap<string, AskedCall> {
  const open = new Map<string, Open[]>();
  for (const chat of byTime(
    spans.filter((span) => roleOf(span) === 'chat'),
    ({ end, start }) => end ?? start,
  )) {
    const session = sessionOf(chat);
    const calls = open.get(session) ?? [];
    open.set(session, calls);
    for (const [index, call] of outputMessages(chat)
      .flatMap(({ calls }) => calls)
      .entries()) {
      calls.push({
        callId: call.id ?? callIdOf(chat, index),
        tool: call.tool,
        input: written(call.input),
        at: chat.end ?? chat.start ?? 0,
        from: chat.start ?? 0,
      });
    }
  }
  const matched = new Map<string, AskedCall>();
  const tools = byTime(
    spans.filter((span) => roleOf(span) === 'tool'),
    ({ start, end }) => start ?? end,
  ).map((span): Run => {
    const { tool, callId, input } = toolFacts(span);
    return {
      span,
      tool,
      callId,
      input: written(input),
      to: span.end ?? span.start ?? Number.POSITIVE_INFINITY,
    };
  });
  for (const isMatch of [hasId, hasInput, isOfTool]) {
    for (const run of tools) {
      if (matched.has(run.span.spanId)) continue;
      const calls = open.get(sessionOf(run.span)) ?? [];
      const index = calls.findIndex((call) => isMatch(call, run));
      const [call] = index < 0 ? [] : calls.splice(index, 1);
      if (call !== undefined) matched.set(run.span.spanId, call);
    }
  }
  return matched;
}

/** A call that its message gives no id. */
export function callIdOf(chat: OtlpSpan, index: number): string {
  return `${chat.spanId}.${index + 1}`;
}

function hasId(call: Open, { callId }: Run): boolean {
  return callId === call.callId;
}

function hasInput(call: Open, run: Run): boolean {
  return run.input === call.input && isOfTool(call, run);
}

function isOfTool(call: Open, { callId, tool, to }: Run): boolean {
  return callId === undefined && tool === call.tool && to >= call.from;
}

function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

function byTime(spans: readonly OtlpSpan[], time: (span: OtlpSpan) => number | undefined): OtlpSpan[] {
  return [...spans].sort((a, b) => (time(a) ?? 0) - (time(b) ?? 0));
}
