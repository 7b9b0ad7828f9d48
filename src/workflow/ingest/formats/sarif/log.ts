/** The part of SARIF 2.1.0 that says what was found where. Everything else in a log is left alone. */
import { z } from 'zod';
import type { Severity } from '../../../truth.ts';
import { linesOf, MAX_ITEMS, normalPath } from '../../fields.ts';
import type { SeverityTable } from '../../mapping.ts';
import { check, type FieldPlace, type RawValue, refuse } from '../../validate.ts';

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

export type SarifRun = z.output<typeof log>['runs'][number];
export type SarifResult = z.output<typeof result>;
type SarifRule = z.output<typeof rule>;

/** One result with what the rest of its run says about it. */
export type SarifItem = {
  readonly place: FieldPlace;
  readonly result: SarifResult;
  readonly ruleId: string | undefined;
  readonly rule: SarifRule | undefined;
  readonly level: string;
  readonly text: string;
};

/** `none` says that severity does not apply. */
export const SARIF_LEVELS: SeverityTable = {
  format: 'SARIF',
  values: new Map<string, Severity | undefined>([
    ['error', 'CRITICAL'],
    ['warning', 'IMPORTANT'],
    ['note', 'MINOR'],
    ['none', undefined],
  ]),
};

const SARIF_KINDS: readonly string[] = ['fail', 'pass', 'open', 'review', 'informational', 'notApplicable'];

export function readSarif(source: RawValue): { runs: readonly SarifRun[]; items: readonly SarifItem[] } {
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

/** The part of the tool whose rules a result counts in (3.54): a pack of queries, or the tool itself. */
function componentOf({ rule: reference }: SarifResult, { tool }: SarifRun) {
  const { index = -1, name } = reference?.toolComponent ?? {};
  if (index >= 0) return tool.extensions?.[index];
  return tool.extensions?.find((pack) => name !== undefined && pack.name === name) ?? tool.driver;
}

/** `CA2101/dll` is a case of the rule `CA2101` (3.27.5). */
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

export type SarifPlace = { file?: string; section?: string; lines?: [number, number]; quote?: string };

/**
 * Where a result points. A region that ends before it begins is not what the standard allows, but real files have it:
 * its two lines are taken in order, and `reversed` says so.
 */
export function placesOf(
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
    const lines = linesOf(from, to);
    if (from !== undefined && to !== undefined && to >= 1 && to < from) reversed = true;
    const quote = region?.snippet?.text?.trim();
    return {
      ...(uri && { file: pathOf(uri) }),
      ...(section && { section }),
      ...(lines !== undefined && { lines }),
      ...(quote && { quote }),
    };
  });
  return { places: places.filter((place) => Object.keys(place).length > 0), reversed };
}

export function reversedNote(places: readonly string[]): string {
  const which =
    places.length > 3 ? `${places.slice(0, 3).join(', ')} and ${places.length - 3} more` : places.join(', ');
  return `a region ends before it begins, and its lines were taken in order: ${which}`;
}

function pathOf(uri: string): string {
  const path = uri.replace(/^file:\/\/\//, '/');
  try {
    return normalPath(decodeURIComponent(path));
  } catch {
    // A lone percent sign: somebody wrote a path where a URI belongs.
    return normalPath(path);
  }
}
