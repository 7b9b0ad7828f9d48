/**
 * SWE-bench: the report of a run (`resolved_ids` beside the other lists of ids), the lists of the leaderboard's
 * `results.json`, and the report of single instances (`{<instance>: {resolved, …}}`). Established from the harness's own
 * `reporting.py` and `grading.py` (swebench 2 to 4).
 */

import type { Harness, HarnessLabel } from '../../ingest/formats/harness.ts';
import { asArray, asObject, asText, type JsonObject } from '../../ingest/json/json-fields.ts';

/** Judged, and not resolved. What could not be run or evaluated (`error_ids`, `incomplete_ids`) is not among them. */
const FAILED = [
  'unresolved_ids',
  'empty_patch_ids',
  'completed_ids',
  'no_generation',
  'applied',
  'generated',
];

export const sweBench: Harness = {
  name: 'SWE-bench',
  labels: (document) => {
    const report = asObject(document);
    if (report === undefined) return undefined;
    return ofRun(report) ?? ofInstances(report);
  },
};

function ofRun(report: JsonObject): HarnessLabel[] | undefined {
  const resolved = Array.isArray(report.resolved_ids) ? report.resolved_ids : report.resolved;
  if (!Array.isArray(resolved) || !FAILED.some((key) => Array.isArray(report[key]))) return undefined;
  const broken = new Set(idsOf(report.error_ids));
  const outcomes = new Map<string, number>(
    FAILED.flatMap((key) => idsOf(report[key])).flatMap((id) => (broken.has(id) ? [] : [[id, 0] as const])),
  );
  for (const id of idsOf(resolved)) outcomes.set(id, 1);
  return [...outcomes].map(([id, outcome]) => ({ outcome, task: id, of: { instance: id } }));
}

function ofInstances(report: JsonObject): HarnessLabel[] | undefined {
  const entries = Object.entries(report).map(([id, value]) => [id, asObject(value)?.resolved] as const);
  if (entries.length === 0 || !entries.every(([, resolved]) => typeof resolved === 'boolean'))
    return undefined;
  return entries.map(([id, resolved]) => ({ outcome: resolved ? 1 : 0, task: id, of: { instance: id } }));
}

function idsOf(list: unknown): string[] {
  return asArray(list).flatMap((id) => asText(id) ?? []);
}
