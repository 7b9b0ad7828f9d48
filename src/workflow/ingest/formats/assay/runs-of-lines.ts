import type { ReviewRun } from '../../../review.ts';
import { isRecord } from '../../is-record.ts';
import { type FindingDraft, runOf, runSchema } from '../../run-schema.ts';
import { check, type FieldPlace, type RawValue, refuse } from '../../validate.ts';

type Part = { readonly header: RawValue; readonly given: unknown[]; readonly added: RawValue[] };

/** Each line is a run, with its findings or without, or one more finding of the run above it. */
export function runsOfLines(lines: readonly RawValue[], path: string): ReviewRun[] {
  const parts: Part[] = [];
  for (const line of lines) {
    if (!isRecord(line.value)) throw refuse(line, [], 'is neither a run nor a finding');
    if (Object.hasOwn(line.value, 'workflow')) {
      const { findings = [] } = line.value;
      if (!Array.isArray(findings)) throw refuse(line, ['findings'], 'must be a list');
      parts.push({ header: line, given: findings, added: [] });
    } else {
      const above = parts.at(-1);
      if (above === undefined)
        throw refuse(
          line,
          [],
          'is a finding before the first run; a line with workflow, task and run comes first',
        );
      above.added.push(line);
    }
  }
  return parts.map((part) => runOf(check(runSchema, sourceOf(part, path)), path));
}

function sourceOf({ header, given, added }: Part, path: string): RawValue {
  const findings = [...given, ...added.map(({ value }) => value)] as FindingDraft[];
  const lineOf = (place: FieldPlace) => {
    const [key, index] = place;
    const line = key === 'findings' ? added[Number(index) - given.length] : undefined;
    return (line ?? header).lineOf?.([]);
  };
  return { path, value: { ...(header.value as object), findings }, lineOf };
}
