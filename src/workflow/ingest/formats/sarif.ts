/** SARIF 2.1.0: findings of analysers, and ground truths that also list what is right. */

import { basename } from 'node:path';
import { z } from 'zod';
import { SEVERITIES, type Severity } from '../../truth.ts';
import {
  check,
  type FieldPlace,
  isRecord,
  linesOf,
  MAX_ITEMS,
  normalPath,
  type RawValue,
  refuse,
} from '../fields.ts';
import { importedRun, titled } from '../imported-run.ts';
import { type Mapper, mapperFor, type SeverityTable } from '../mapping.ts';
import { checkTruth } from '../truth-schema.ts';
import type {
  ImportedRuns,
  ImportedTruth,
  Importer,
  ImportOptions,
  RawFile,
  TruthOptions,
} from './importer.ts';

export const sarif: Importer = {
  name: 'sarif',
  title: 'SARIF',
  suffixes: { '.sarif': 'json' },
  cannotCarry: ['workflow', 'task', 'depth', 'concerns', 'labels', 'tokens'],
  detect: (file) =>
    file.kind === 'document' &&
    isRecord(file.document.value) &&
    Object.hasOwn(file.document.value, 'version') &&
    Array.isArray(file.document.value.runs),
  readRuns: (file, options) => importSarifRun(documentOf(file), options),
  truth: { detect: (file) => hasPassingResults(documentOf(file).value), read: importSarifTruth },
};

function documentOf(file: RawFile): RawValue {
  if (file.kind === 'document') return file.document;
  throw refuse({ path: file.path, value: undefined }, [], 'is no SARIF document');
}

/** Only a ground truth lists what is right; tools do not. */
function hasPassingResults(value: unknown): boolean {
  const runs = isRecord(value) && Array.isArray(value.runs) ? value.runs : [];
  const results = runs.flatMap((run: unknown) =>
    isRecord(run) && Array.isArray(run.results) ? run.results : [],
  );
  return results.some((result: unknown) => isRecord(result) && result.kind === 'pass');
}

/** SARIF results of a tool: results that report a problem are findings. */

function importSarifRun(source: RawValue, options: ImportOptions): ImportedRuns {
  const { runs, items } = readSarif(source);
  refuseBroken(source, runs);
  const mapper = mapperFor(source, SARIF_LEVELS, options.maps);
  const swapped: string[] = [];
  const left = new Map<string, number>();
  const count = (why: string) => left.set(why, (left.get(why) ?? 0) + 1);
  const findings = items.flatMap((item) => {
    const why = leftOut(item);
    if (why !== undefined) {
      count(why);
      return [];
    }
    const { places, reversed } = placesOf(item, runs[Number(item.place[1])] as SarifRun);
    if (reversed) swapped.push(item.place.join('.'));
    if (places.length > 1) count('with more than one location, of which the first was taken');
    return [
      {
        ...titled(item.text || item.ruleId || 'no message'),
        severity: mapper.severity(item.level, [...item.place, 'level']),
        category: categoryOf(item, mapper),
        ...places[0],
      },
    ];
  });
  const tools = new Set(
    runs.map(({ tool: { driver } }) =>
      [driver.name, driver.semanticVersion ?? driver.version].filter(Boolean).join(' '),
    ),
  );
  const notes = [...left].map(([why, n]) => `results ${why}: ${n}`);
  notes.push(...reversedNote(swapped));
  return importedRun(source, { workflow: [...tools].join(' + ') }, findings, mapper, notes, options);
}

/** An aborted tool did not check the rest, so its results are not a complete review. */
function refuseBroken(source: RawValue, runs: readonly SarifRun[]): void {
  runs.forEach(({ invocations }, run) => {
    const broken = (invocations ?? []).findIndex(({ executionSuccessful }) => executionSuccessful === false);
    if (broken === -1) return;
    throw refuse(
      source,
      ['runs', run, 'invocations', broken, 'executionSuccessful'],
      'is false: the tool did not finish, so this run cannot be scored',
      'Run the tool again, or exclude the file and mention that with the published result.',
    );
  });
}

/** Results that report no problem or were suppressed are not findings. */
function leftOut({
  result: { kind = 'fail', baselineState, suppressions = [] },
}: SarifItem): string | undefined {
  if (kind === 'pass' || kind === 'notApplicable' || kind === 'informational')
    return `of the kind ${kind}, no findings`;
  if (baselineState === 'absent') return 'that are no longer there (baselineState absent), no findings';
  if (suppressions.some(({ status = 'accepted' }) => status === 'accepted'))
    return 'that are suppressed, no findings';
  return undefined;
}

/** The category comes from the rule: its CWE tag if it has one, otherwise its id. */
function categoryOf({ ruleId, rule }: SarifItem, mapper: Mapper): string | undefined {
  if (ruleId === undefined) return undefined;
  const numbers = (rule?.properties?.tags ?? []).flatMap(
    (tag) => /^(?:external\/cwe\/)?cwe-0*(\d{1,5})\b/i.exec(tag)?.[1] ?? [],
  );
  const tag = /^CWE-\d+$/.test(ruleId) || numbers[0] === undefined ? undefined : `CWE-${numbers[0]}`;
  return mapper.category(ruleId, tag);
}

/** SARIF as a ground truth: a result of the kind `fail` is an error, one of the kind `pass` a trap. */

function importSarifTruth(source: RawValue, options: TruthOptions): ImportedTruth {
  const { runs, items } = readSarif(source);
  const mapper = mapperFor(source, SARIF_LEVELS, options.maps);
  const names = namesOf(runs, source.path, options);
  const reversed: string[] = [];
  const drafts = items.map((item, index) => {
    const kind = item.result.kind ?? 'fail';
    if (kind !== 'fail' && kind !== 'pass') {
      throw refuse(source, [...item.place, 'kind'], `"${kind}" is neither fail (an error) nor pass (a trap)`);
    }
    const found = placesOf(item, runs[Number(item.place[1])] as SarifRun);
    if (found.reversed) reversed.push(item.place.join('.'));
    const isError = kind === 'fail';
    return {
      kind,
      draft: {
        id: idOf(item, `${isError ? 'E' : 'T'}${index + 1}`),
        description: item.text || item.ruleId,
        locations: found.places.map(({ quote: _, ...place }) => place),
        quote: found.places.find((place) => place.quote !== undefined)?.quote,
        ...categoriesOf(item, mapper, source, isError),
        ...(isError && { severity: severityOf(item, mapper, source) }),
      },
    };
  });
  const of = (kind: string) => drafts.filter((one) => one.kind === kind).map(({ draft }) => draft);
  const categories = new Set(
    drafts.flatMap(({ draft }) => [draft.category ?? [], draft.accept_categories ?? []].flat()),
  );
  const value = {
    task: names.task,
    version: names.version,
    categories: categories.size > 0 ? [...categories].sort() : undefined,
    identify: runs.find(({ properties }) => properties?.identify !== undefined)?.properties?.identify,
    errors: of('fail'),
    traps: of('pass'),
  };
  return {
    truth: checkTruth({ path: source.path, value }),
    mappings: mapper.mappings(),
    notes: [...names.notes, ...reversedNote(reversed)],
  };
}

function namesOf(runs: readonly SarifRun[], path: string, options: TruthOptions) {
  const driver = runs[0]?.tool.driver;
  const version = options.version ?? driver?.version ?? driver?.semanticVersion;
  const task = options.task ?? driver?.name ?? basename(path);
  const notes = [
    options.task === undefined && `the task is called "${task}", after the tool of the SARIF file`,
    version === undefined &&
      'the file names no version of its tool; the ground truth is called "unversioned"',
  ].filter((note) => note !== false);
  return { task, version: version ?? 'unversioned', notes };
}

function idOf({ result }: SarifItem, otherwise: string): string {
  const id = result.properties?.id;
  return typeof id === 'string' && id.trim() !== '' ? id : (result.guid ?? otherwise);
}

/** `CWE-489,CWE-215` is the category CWE-489; a finding may also report CWE-215. */
function categoriesOf(item: SarifItem, mapper: Mapper, source: RawValue, needed: boolean) {
  const place = [...item.place, 'ruleId'];
  const ids = (item.ruleId ?? '').split(',').map((id) => id.trim());
  const named = new Set(ids.filter((id) => id !== '').map((id) => mapper.category(id)));
  const [category, ...others] = named;
  if (category === undefined && needed)
    throw refuse(source, place, 'is missing; it gives the category of the error');
  return { category, accept_categories: others.length > 0 ? others : undefined };
}

/** `properties.severity` if present, in Assay's terms or those of the mapping; otherwise the level. */
function severityOf({ result, level, place }: SarifItem, mapper: Mapper, source: RawValue): string {
  const own = result.properties?.severity;
  if (SEVERITIES.some((severity) => severity === own)) return String(own);
  const where = [...place, ...(own === undefined ? ['level'] : ['properties', 'severity'])];
  const severity = mapper.severity(own === undefined ? level : String(own), where);
  if (severity === undefined)
    throw refuse(source, where, `the level "${level}" gives no severity`, 'Map it in the mapping file.');
  return severity;
}

/** The subset of SARIF 2.1.0 that locates results. Everything else in a log is ignored. */

const message = z.object({
  text: z.string().optional(),
  markdown: z.string().optional(),
  id: z.string().optional(),
  arguments: z.array(z.string()).optional(),
});

const line = z.int();

const location = z.object({
  physicalLocation: z
    .object({
      artifactLocation: z.object({ uri: z.string().optional(), index: z.int().optional() }).optional(),
      region: z
        .object({
          startLine: line.optional(),
          endLine: line.optional(),
          snippet: z.object({ text: z.string().optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
  logicalLocations: z
    .array(z.object({ fullyQualifiedName: z.string().optional(), name: z.string().optional() }))
    .optional(),
});

const rule = z.object({
  id: z.string(),
  defaultConfiguration: z.object({ level: z.string().optional() }).optional(),
  messageStrings: z.record(z.string(), z.object({ text: z.string() })).optional(),
  properties: z.object({ tags: z.array(z.string()).optional() }).optional(),
});

const result = z.object({
  ruleId: z.string().optional(),
  ruleIndex: z.int().optional(),
  rule: z
    .object({
      id: z.string().optional(),
      index: z.int().optional(),
      toolComponent: z.object({ index: z.int().optional(), name: z.string().optional() }).optional(),
    })
    .optional(),
  kind: z.string().optional(),
  level: z.string().optional(),
  message,
  locations: z.array(location).optional(),
  guid: z.string().optional(),
  baselineState: z.string().optional(),
  suppressions: z.array(z.object({ status: z.string().optional() })).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

const log = z.object({
  version: z.literal('2.1.0', { error: ({ input }) => `${JSON.stringify(input)} is not the version 2.1.0` }),
  runs: z
    .array(
      z.object({
        tool: z.object({
          driver: z.object({
            name: z.string().trim().min(1),
            version: z.string().optional(),
            semanticVersion: z.string().optional(),
            rules: z.array(rule).optional(),
          }),
          extensions: z
            .array(z.object({ name: z.string().optional(), rules: z.array(rule).optional() }))
            .optional(),
        }),
        artifacts: z
          .array(z.object({ location: z.object({ uri: z.string().optional() }).optional() }))
          .optional(),
        invocations: z.array(z.object({ executionSuccessful: z.boolean().optional() })).nullish(),
        properties: z.object({ identify: z.unknown() }).partial().nullish(),
        results: z.array(result).max(MAX_ITEMS).nullish(),
      }),
    )
    .min(1, 'holds no runs'),
});

type SarifRun = z.output<typeof log>['runs'][number];
type SarifResult = z.output<typeof result>;
type SarifRule = z.output<typeof rule>;

/** One result with its context from the run. */
type SarifItem = {
  readonly place: FieldPlace;
  readonly result: SarifResult;
  readonly ruleId: string | undefined;
  readonly rule: SarifRule | undefined;
  readonly level: string;
  readonly text: string;
};

/** `none` means that severity does not apply. */
const SARIF_LEVELS: SeverityTable = {
  format: 'SARIF',
  values: new Map<string, Severity | undefined>([
    ['error', 'CRITICAL'],
    ['warning', 'IMPORTANT'],
    ['note', 'MINOR'],
    ['none', undefined],
  ]),
};

const SARIF_KINDS: readonly string[] = ['fail', 'pass', 'open', 'review', 'informational', 'notApplicable'];

function readSarif(source: RawValue): { runs: readonly SarifRun[]; items: readonly SarifItem[] } {
  const { runs } = check(
    log,
    source,
    'Correct the place that the message names; SARIF 2.1.0 is the version that is read.',
  );
  return { runs, items: runs.flatMap((run, index) => itemsOf(run, index, source)) };
}

function itemsOf(run: SarifRun, index: number, source: RawValue): SarifItem[] {
  const { driver, extensions = [] } = run.tool;
  const byId = new Map(
    [driver, ...extensions].flatMap((part) => (part.rules ?? []).map((one) => [one.id, one])),
  );
  return (run.results ?? []).map((one, i) => {
    const place = ['runs', index, 'results', i];
    if (one.kind !== undefined && !SARIF_KINDS.includes(one.kind)) {
      throw refuse(
        source,
        [...place, 'kind'],
        `"${one.kind}" is not known; it is one of ${SARIF_KINDS.join(', ')}`,
      );
    }
    const rules = componentOf(one, run)?.rules ?? [];
    const ruleIndex = one.rule?.index ?? one.ruleIndex ?? -1;
    const ruleId = one.ruleId ?? one.rule?.id ?? rules[ruleIndex]?.id;
    const rule =
      rules[ruleIndex] ??
      (ruleId === undefined ? undefined : (byId.get(ruleId) ?? byId.get(parentRule(ruleId))));
    return {
      place,
      result: one,
      ruleId: ruleId?.trim() || undefined,
      rule,
      // The defaults of the standard (3.27.10): the rule's level, else "warning" for a failure and "none" otherwise.
      level:
        one.level ??
        ((one.kind ?? 'fail') === 'fail' ? (rule?.defaultConfiguration?.level ?? 'warning') : 'none'),
      text: textOf(one, rule),
    };
  });
}

/** The tool component whose rules a result refers to (3.54): a query pack, or the tool itself. */
function componentOf({ rule: reference }: SarifResult, { tool }: SarifRun) {
  const { index = -1, name } = reference?.toolComponent ?? {};
  if (index >= 0) return tool.extensions?.[index];
  return tool.extensions?.find((pack) => name !== undefined && pack.name === name) ?? tool.driver;
}

/** `CA2101/dll` is a sub-rule of `CA2101` (3.27.5). */
function parentRule(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('/')));
}

function textOf(
  { message: { text, markdown, id, arguments: values = [] } }: SarifResult,
  rule: SarifRule | undefined,
): string {
  const strings = rule?.messageStrings ?? {};
  const template =
    text ??
    (id !== undefined && Object.hasOwn(strings, id) ? strings[id]?.text : undefined) ??
    markdown ??
    '';
  return template.replaceAll(/\{(\d{1,3})\}/g, (mark, at) => values[Number(at)] ?? mark).trim();
}

type SarifPlace = { file?: string; section?: string; lines?: [number, number]; quote?: string };

/**
 * The locations of a result. The standard does not allow a region that ends before it begins, but real files contain
 * them: the two lines are swapped, and `reversed` is set.
 */
function placesOf(
  { result: { locations = [] } }: SarifItem,
  run: SarifRun,
): { places: SarifPlace[]; reversed: boolean } {
  let reversed = false;
  const places = locations.map(({ physicalLocation, logicalLocations }) => {
    const { artifactLocation, region } = physicalLocation ?? {};
    const uri = artifactLocation?.uri ?? run.artifacts?.[artifactLocation?.index ?? -1]?.location?.uri;
    const logical = physicalLocation === undefined ? logicalLocations?.[0] : undefined;
    const section = logical?.fullyQualifiedName ?? logical?.name;
    const { startLine: from, endLine: to } = region ?? {};
    if (from !== undefined && to !== undefined && to >= 1 && to < from) reversed = true;
    return {
      file: uri ? pathOf(uri) : undefined,
      section: section || undefined,
      lines: linesOf(from, to),
      quote: region?.snippet?.text?.trim() || undefined,
    };
  });
  const says = (place: SarifPlace) => Object.values(place).some((part) => part !== undefined);
  return { places: places.filter(says), reversed };
}

function reversedNote(places: readonly string[]): string[] {
  if (places.length === 0) return [];
  const which =
    places.length > 3 ? `${places.slice(0, 3).join(', ')} and ${places.length - 3} more` : places.join(', ');
  return [`a region ends before it begins, and its lines were taken in order: ${which}`];
}

function pathOf(uri: string): string {
  const path = uri.replace(/^file:\/\/\//, '/');
  try {
    return normalPath(decodeURIComponent(path));
  } catch {
    // A lone percent sign: the file contains a path instead of a URI.
    return normalPath(path);
  }
}
