/** Reads labels from a benchmark report, or a folder of reports. The content identifies the harness. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssayError } from '../../../errors.ts';
import { fileError, readJson } from '../../../files.ts';
import { FORMATS } from '../../ingest/formats/formats.ts';
import type { Harness, HarnessLabel, LabelledBy } from '../../ingest/formats/harness.ts';
import { asArray, asObject, asObjects, asText, type JsonObject } from '../../ingest/json/json-fields.ts';

/** The trials of a job are one or two folders down. */
const MAX_DEPTH = 4;
const MAX_FILES = 20_000;
const RESULT = /^(?:results?|report)\.json$|\.eval$/;
/** Limits how many files of unknown names are read. */
const MAX_OTHERS = 200;
/** A file of runs may contain their messages too. */
const MAX_BYTES = 1024 * 1024 * 1024;

export type HarnessReport = { readonly harness: string; readonly labels: readonly HarnessLabel[] };

export async function readReport(path: string): Promise<HarnessReport> {
  const formats = FORMATS.flatMap(({ labels }) => labels ?? []);
  const harnesses = [...(await Promise.all(formats.map((load) => load()))), ...OWN];
  const isFolder = statOf(path).isDirectory();
  const known = isFolder ? reportsIn(path, harnesses) : reportsOf([path], harnesses);
  const [first] = known;
  if (first === undefined) {
    const what = isFolder
      ? `no result of a known harness lies in ${path}`
      : `${path} is no report that is known`;
    throw new AssayError('INPUT_INVALID', what, {
      remedy: `Known are ${harnesses.map(({ name }) => name).join(', ')}; anything else as CSV with session_id,outcome.`,
    });
  }
  return { harness: first.harness, labels: known.flatMap(({ labels }) => labels) };
}

/** First the files with known result names of harnesses; if there are none, any JSON files. */
function reportsIn(folder: string, harnesses: readonly Harness[]): HarnessReport[] {
  const named = reportsOf(resultsIn(folder, RESULT), harnesses);
  if (named.length > 0) return named;
  const others = resultsIn(folder, /\.json$/).slice(0, MAX_OTHERS);
  return others.map((file) => readOther(file, harnesses)).filter((one) => one !== undefined);
}

function reportsOf(files: readonly string[], harnesses: readonly Harness[]): HarnessReport[] {
  return files.map((file) => readOne(file, harnesses)).filter((one) => one !== undefined);
}

/** A file that is not JSON is not a report. */
function readOther(path: string, harnesses: readonly Harness[]): HarnessReport | undefined {
  try {
    return readOne(path, harnesses);
  } catch (error) {
    // A file that cannot be read may be a report.
    if (!(error instanceof AssayError) || error.code !== 'INPUT_INVALID') throw error;
    return undefined;
  }
}

function readOne(path: string, harnesses: readonly Harness[]): HarnessReport | undefined {
  for (const { name, archive } of harnesses) {
    const labels = archive?.(path);
    if (labels !== undefined) return { harness: name, labels };
  }
  const document = readJson(path, MAX_BYTES);
  for (const { name, labels } of harnesses) {
    const found = labels(document, path);
    if (found !== undefined) return { harness: name, labels: found };
  }
  return undefined;
}

function resultsIn(folder: string, name: RegExp, depth = 0, found: string[] = []): string[] {
  for (const entry of entriesOf(folder)) {
    if (found.length >= MAX_FILES)
      throw new AssayError('INPUT_INVALID', `more than ${MAX_FILES} results lie in ${folder}`, {
        remedy: 'Name a folder below it: labels of a part would look like those of all.',
      });
    // Links are not followed: they may lead out of the folder, or in a circle.
    if (entry.isFile() && name.test(entry.name)) found.push(join(folder, entry.name));
    else if (entry.isDirectory() && depth < MAX_DEPTH)
      resultsIn(join(folder, entry.name), name, depth + 1, found);
  }
  return found;
}

/** A folder that cannot be read may contain labels, so an error is better than partial labels. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    throw fileError(folder, cause);
  }
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (cause) {
    throw fileError(path, cause);
  }
}

// Harbor (and Terminal-Bench 2): `result.json` of a trial, next to the agent's own session files. Based on its models
// of a trial's result. Without a reward there is no label: the verifier did not run, or broke.

const harbor: Harness = {
  name: 'Harbor',
  labels: (document, path) => {
    const result = asObject(document);
    if (asText(result?.trial_name) === undefined || result === undefined) return undefined;
    if (!('verifier_result' in result) && !('agent_result' in result)) return undefined;
    const reward = rewardOf(asObject(asObject(result.verifier_result)?.rewards));
    if (reward === undefined) return [];
    const task = asText(result.task_name);
    const outcome = Math.min(1, Math.max(0, reward));
    return [{ outcome, task, of: { folder: dirname(path) } }];
  },
};

/** The main reward is called `reward`; a task with a single one of another name uses that. */
function rewardOf(rewards: Readonly<Record<string, unknown>> | undefined): number | undefined {
  if (rewards === undefined) return undefined;
  const [only, ...others] = Object.values(rewards);
  const reward = 'reward' in rewards ? rewards.reward : others.length === 0 ? only : undefined;
  return typeof reward === 'number' && Number.isFinite(reward) ? reward : undefined;
}

// SWE-bench: the report of a run (`resolved_ids` and other lists of ids), the lists of the leaderboard's
// `results.json`, and the report of single instances (`{<instance>: {resolved, …}}`). Based on the harness's own
// `reporting.py` and `grading.py` (swebench 2 to 4).

/**
 * Evaluated and not resolved. Instances that could not be run or evaluated (`error_ids`, `incomplete_ids`) are
 * excluded.
 */
const FAILED = [
  'unresolved_ids',
  'empty_patch_ids',
  'completed_ids',
  'no_generation',
  'applied',
  'generated',
];

const sweBench: Harness = {
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

// Terminal-Bench 1: `results.json` of a trial, and the one of the whole run, which repeats all trials under `results`.
// Based on published run folders.

const terminalBench: Harness = {
  name: 'Terminal-Bench',
  labels: (document, path) => {
    const result = asObject(document);
    if (result === undefined) return undefined;
    if (isTrial(result)) return labelOf(result, { folder: dirname(path) });
    const trials = asObjects(result.results).filter(isTrial);
    if (trials.length === 0) return undefined;
    return trials.flatMap((trial) => labelOf(trial, { instance: asText(trial.trial_name) ?? '' }));
  },
};

function isTrial(result: JsonObject): boolean {
  return asText(result.trial_name) !== undefined && 'is_resolved' in result;
}

function labelOf(trial: JsonObject, of: LabelledBy): HarnessLabel[] {
  const { is_resolved: resolved } = trial;
  if (typeof resolved !== 'boolean') return [];
  const task = asText(trial.task_id);
  return [{ outcome: resolved ? 1 : 0, task, of }];
}

const OWN: readonly Harness[] = [harbor, terminalBench, sweBench];
