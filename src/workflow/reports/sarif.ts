/** Confirmed findings as SARIF 2.1.0, within what GitHub code scanning accepts. */
import type { Severity } from '../truth.ts';
import { type ConfirmedFinding, confirmedFindings } from './confirmed-findings.ts';
import type { ExaminedArm } from './error-matrix.ts';

/** GitHub refuses 25,000 results in a run and shows 5,000, and it shows 100 of at most 1,000 locations. */
export const RESULTS_PER_RUN = 5000;
export const RUNS_PER_FILE = 20;
const LOCATIONS_PER_RESULT = 100;
const MESSAGE_CHARS = 2000;
const SNIPPET_CHARS = 1000;
/** Names and descriptions of rules may have 255 and 1,024 characters. */
const NAME_CHARS = 255;

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  CRITICAL: 'error',
  IMPORTANT: 'warning',
  MINOR: 'note',
};

/** The rule of findings without a category. */
const NO_CATEGORY = 'UNCATEGORISED';

export type SarifExport = {
  readonly log: object;
  readonly results: number;
  /** Confirmed, but without a file to point at: GitHub refuses a whole log over one such result. */
  readonly withoutFile: number;
  /** Confirmed, but beyond the limit; the least severe. */
  readonly beyondLimit: number;
  readonly withoutSeverity: number;
};

export type ExportedFindings = {
  /** Tasks with too few runs to confirm anything. */
  readonly tooFew: readonly { readonly workflow: string; readonly task: string; readonly runs: number }[];
  /** Absent when no task has enough runs. */
  readonly exported?: SarifExport;
};

/** One SARIF run per task; all of one workflow, which is the tool. */
export function sarifExport(arms: readonly ExaminedArm[], limit: number = RESULTS_PER_RUN): SarifExport {
  const parts = arms.map((arm) => {
    const confirmed = confirmedFindings(arm);
    const placed = confirmed.filter(({ places }) => places.some(({ file }) => file !== undefined));
    return { arm, confirmed, placed, reported: placed.slice(0, limit) };
  });
  const sum = (count: (part: (typeof parts)[number]) => number) =>
    parts.reduce((total, part) => total + count(part), 0);
  return {
    log: {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: parts.map(({ arm, reported: kept }) => sarifRun(arm, kept)),
    },
    results: sum(({ reported: kept }) => kept.length),
    withoutFile: sum(({ confirmed, placed }) => confirmed.length - placed.length),
    beyondLimit: sum(({ placed, reported: kept }) => placed.length - kept.length),
    withoutSeverity: sum(
      ({ reported: kept }) => kept.filter(({ severity }) => severity === undefined).length,
    ),
  };
}

function sarifRun({ workflow, task, truth, runs }: ExaminedArm, findings: readonly ConfirmedFinding[]) {
  const rules = [...new Set(findings.map(ruleOf))].sort();
  return {
    tool: { driver: { name: oneLine(workflow, NAME_CHARS), rules: rules.map(ruleJson) } },
    // Runs of one tool in one file are told apart by this; without it GitHub would take one for a newer other.
    automationDetails: { id: `${oneLine(task, NAME_CHARS).replaceAll('/', '-')}/` },
    columnKind: 'utf16CodeUnits',
    results: findings.map((finding) => resultJson(finding, rules)),
    properties: {
      task,
      truth_version: truth.version,
      truth_hash: truth.hash,
      matcher_version: runs[0]?.matcherVersion ?? '',
      review_runs: runs.length,
      confirmed: 'findings in more than half of the runs',
    },
  };
}

function ruleOf({ category }: ConfirmedFinding): string {
  return oneLine(category ?? NO_CATEGORY, NAME_CHARS) || NO_CATEGORY;
}

function ruleJson(id: string) {
  const text = `Confirmed review findings of the category ${id}`;
  return {
    id,
    name: id,
    shortDescription: { text },
    fullDescription: { text: `${text}: each is in more than half of the runs of the review.` },
    help: { text: `${text}. The message of a finding says what is wrong and where.` },
    defaultConfiguration: { level: 'warning' },
    properties: { tags: ['review', id] },
  };
}

function resultJson(finding: ConfirmedFinding, rules: readonly string[]) {
  const { severity, error, found, runs, fingerprint } = finding;
  const ruleId = ruleOf(finding);
  return {
    ruleId,
    ruleIndex: rules.indexOf(ruleId),
    kind: 'fail',
    level: severity === undefined ? 'warning' : LEVELS[severity],
    message: { text: messageText(finding.title, finding.description, MESSAGE_CHARS) },
    locations: locationsJson(finding),
    // Not primaryLocationLineHash: that one GitHub computes from the line itself and warns about any other value.
    partialFingerprints: { 'assayFinding/v1': fingerprint },
    occurrenceCount: found,
    properties: {
      found_in_runs: found,
      of_runs: runs,
      ...(error === undefined ? { bonus: true } : { error }),
    },
  };
}

function locationsJson({ places, quote }: ConfirmedFinding) {
  return places
    .filter(({ file }) => file !== undefined)
    .slice(0, LOCATIONS_PER_RESULT)
    .map(({ file = '', section, lines }, index) => {
      const snippet = index === 0 && quote !== undefined ? quote.slice(0, SNIPPET_CHARS) : undefined;
      const region = lines && {
        startLine: lines[0],
        endLine: lines[1],
        ...(snippet !== undefined && { snippet: { text: oneLine(snippet, SNIPPET_CHARS) } }),
      };
      return {
        physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...(region && { region }) },
        ...(section !== undefined && {
          logicalLocations: [{ fullyQualifiedName: oneLine(section, NAME_CHARS) }],
        }),
      };
    });
}

/** A path, never a scheme: `javascript:` becomes a file name. */
function uriOf(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/');
}

/** Words of a review on their way into a file that other tools show: nothing hidden, no links, no placeholders. */

// Control and format characters, line separators; the two joiners stay, which emoji and several scripts need.
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** White space becomes one blank, hidden characters vanish, and the end is cut. */
function oneLine(text: string, most: number): string {
  const clean = text.toWellFormed().replace(/\s+/gu, ' ').replace(HIDDEN, '').trim();
  return shorten(clean, most);
}

function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half of a pair of surrogates is no character.
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}

/**
 * Title and description on lines of their own. In a message `[words](place)` is a link and `{0}` a placeholder; a blank
 * inside makes them words.
 */
export function messageText(title: string, description: string | undefined, most: number): string {
  const parts = [title, ...(description?.split(/\r\n|\n|\r/u) ?? [])]
    .map((part) => oneLine(part, most))
    .filter((part) => part !== '');
  const text = parts
    .join('\n')
    .replaceAll('](', '] (')
    .replace(/\{(?=\d+\})/g, '{ ');
  return shorten(text, most) || 'no title';
}
