/** One output of many in a file, and what it could be paired with a case by. */
export type ResultItem = {
  /** Where it stands, for errors. */
  readonly where: string;
  /** Names that may be that of a case. */
  readonly names: readonly string[];
  /** Texts that may be that of a case. */
  readonly texts: readonly string[];
  readonly value: unknown;
  /** Why there is no value. */
  readonly error?: string;
  readonly facts?: {
    readonly model?: string;
    readonly promptVersion?: string;
    readonly latencyMs?: number;
    readonly costUsd?: number;
  };
};

export type ResultRow = { readonly where: string; readonly value: unknown };

/** Fields that name what an output is of. */
export const NAMES = ['id', 'case', 'caseId', 'case_id', 'name', 'topic', 'title'];

export function textsOf(values: readonly unknown[]): string[] {
  return values.flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? [String(one)] : []));
}

/** A figure that can be summed up; nothing where it is none. */
export function figure(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The beginning of what somebody else says went wrong. */
export function noAnswer(where: string, fault: unknown): string {
  return `${where} gave no answer${typeof fault === 'string' && fault !== '' ? `: ${fault.slice(0, 300)}` : ''}`;
}
