/**
 * Writes the pages that are made from the source: `npm run docs`. The test in `test/docs.test.ts` fails when one of
 * them is stale.
 */
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wireSchemas } from '../src/api/json-schemas.ts';
import type { Command } from '../src/cli/command.ts';
import { commandHelp } from '../src/cli/help.ts';
import { configJsonSchema } from '../src/config-json-schema.ts';
import { configRows, sayValue } from '../src/config-reference.ts';
import { decompositionJsonSchemas } from '../src/decomposition/ingest/json-schemas.ts';
import { ERRORS } from '../src/errors.ts';
import { CATALOG } from '../src/measure/catalog.ts';
import { metricPath } from '../src/measure/metric.ts';
import { sayMetric } from '../src/report/metric-page.ts';
import { neutralJsonSchema } from '../src/session/ingest/formats/neutral-schema.ts';
import { SHIPPED_BASELINES } from '../src/session/profiles/baselines.ts';
import { TASK_TYPE_RULES } from '../src/session/profiles/classify-task.ts';
import { TASK_TYPES } from '../src/session/profiles/task-type.ts';
import { SIGNALS } from '../src/session/signals/catalog.ts';
import { DOCUMENTED_PROFILES } from '../src/session/weights.ts';
import { IMPORTERS } from '../src/workflow/ingest/formats/importers.ts';
import { workflowJsonSchemas } from '../src/workflow/ingest/json-schemas.ts';
import { ATTACK_PAGE, attackPage } from '../test/attacks/page.ts';
import { REVIEW_ATTACK_PAGE, reviewAttackPage } from '../test/attacks/reviews.ts';
import { allCommands, commandListText } from './command-list.ts';
import { exportPage } from './export-page.ts';
import { jsonText } from './json-text.ts';
import { NOTICE } from './notice.ts';
import { sessionFormatsPage } from './session-formats-page.ts';

/** Path below docs/ → text. */
export async function generatedPages(): Promise<Map<string, string>> {
  const commands = await allCommands();
  const pages = new Map([
    ['../src/cli/command-list.ts', commandListText(commands)],
    ['errors.md', errorsPage()],
    ['configuration.md', configurationPage()],
    ['commands.md', commandsPage(commands.map(({ command }) => command))],
    ['metrics/README.md', metricsIndex()],
    ['session-signals.md', signalsPage()],
    ['formats/workflow-importers.md', importersPage()],
    ['formats/README.md', sessionFormatsPage()],
    ['export.md', exportPage()],
  ]);
  for (const [name, schema] of [
    ...decompositionJsonSchemas(),
    ...workflowJsonSchemas(),
    ...wireSchemas(),
    ['neutral', neutralJsonSchema()] as const,
    ['configuration', configJsonSchema()] as const,
  ])
    pages.set(`formats/${name}.schema.json`, `${jsonText(named(name, schema))}\n`);
  for (const metric of CATALOG)
    pages.set(`metrics/${metricPath(metric)}.md`, `${NOTICE}\n\n${sayMetric(metric)}`);
  return pages;
}

/** A name for good, of no host: it is the same in a package, behind any server and offline. */
function named(name: string, { $schema, ...schema }: { readonly $schema?: unknown }): object {
  return { $schema, $id: `urn:assay:schema:${name}`, ...schema };
}

function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { what, remedy }]) => `| \`${code}\` | ${what} | ${remedy} |`,
  );
  return [
    NOTICE,
    '',
    '# Errors',
    '',
    'Every error ends the command with exit code 3: nothing was judged. `--debug` adds the stack trace.',
    '',
    '| code | what happened | what to do |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function configurationPage(): string {
  return [
    NOTICE,
    '',
    '# Configuration',
    '',
    'Assay needs none. To change a default, write `assay.config.yaml` into the project; `.yml`, `.json`, `.ts` and `.js` work as',
    'well. Assay reads one file: the nearest from the current folder upwards, and in one folder `.ts`, `.js`, `.json`, `.yaml`,',
    '`.yml` in this order. Where a project has none, it reads your own defaults in `~/.config/assay/assay.config.yaml` (or',
    '`.json`). Files are not merged. Precedence: flag, `ASSAY_STORE`, file, default. An unknown key is an error. `assay config`',
    'shows what is in force. [Editors](editors.md) complete YAML and JSON by [the schema](formats/configuration.schema.json), a',
    '`.ts` file by its type.',
    '',
    '```yaml',
    'decomposition:',
    '  overallScale: attainable',
    '```',
    '',
    'A `.ts` or `.js` file is a program. It runs only for a command that you type. `assay serve`, `assay mcp`, the hooks and',
    'the status line never run one, because an agent may have written it: they read YAML and JSON only.',
    '',
    '```ts',
    "import { defineConfig } from 'assay';",
    '',
    "export default defineConfig({ decomposition: { overallScale: 'attainable' } });",
    '```',
    '',
    '| setting | default | kind | what it does |',
    '|---|---|---|---|',
    ...configRows().map((row) => `| \`${row.key}\` | \`${sayValue(row)}\` | ${row.kind} | ${row.doc} |`),
    '',
  ].join('\n');
}

function commandsPage(commands: readonly Command[]): string {
  return [
    NOTICE,
    '',
    '# Commands',
    '',
    ...commands.flatMap((command) => [
      `## assay ${command.name}`,
      '',
      '```text',
      commandHelp(command).trimEnd(),
      '```',
      '',
    ]),
  ].join('\n');
}

function signalsPage(): string {
  return [
    NOTICE,
    '',
    '# Signals, task types and baselines of a session',
    '',
    '## Signals',
    '',
    'Each is 0 to 1, or unmeasured with a reason; `assay sessions explain ID` shows the lines behind each one.',
    '',
    '| signal | category | weight in it | how it is captured |',
    '|---|---|---|---|',
    ...SIGNALS.map(
      ({ title, category, weight, how }) =>
        `| ${title} | ${category} | ${Number(weight.toFixed(3))} | ${how} |`,
    ),
    '',
    '## Task types: the first rule that fits decides',
    '',
    '| task type | when |',
    '|---|---|',
    ...TASK_TYPE_RULES.map(({ taskType, reason }) => `| ${taskType} | ${reason} |`),
    '| chat | otherwise |',
    '',
    '## Weights',
    '',
    '| task type | completion | execution | efficiency | outcome |',
    '|---|---|---|---|---|',
    ...TASK_TYPES.map((type) => {
      const { completion, execution, efficiency, outcome } = DOCUMENTED_PROFILES[type];
      return `| ${type} | ${completion} | ${execution} | ${efficiency} | ${outcome} |`;
    }),
    '',
    `## Baselines: the set \`${SHIPPED_BASELINES.name}\``,
    '',
    '| task type | output / input tokens | turns |',
    '|---|---|---|',
    ...TASK_TYPES.map((type) => {
      const { tokenRatio = '–', turns = '–' } = SHIPPED_BASELINES.perType[type];
      return `| ${type} | ${tokenRatio} | ${turns} |`;
    }),
    '',
    '## Formats',
    '',
    '[formats/README.md](formats/README.md) lists the agents whose sessions are read, and what each can show.',
    '',
  ].join('\n');
}

function importersPage(): string {
  return [
    NOTICE,
    '',
    '# Findings of other tools',
    '',
    'Which one a file is in is told by its content. [workflow-run.md](workflow-run.md) says how values are translated. What a',
    'format has no place for comes from options or the name of the file, or stays unmeasured.',
    '',
    '| format | its own file names | ground truths too | cannot carry |',
    '|---|---|---|---|',
    ...IMPORTERS.filter(({ cannotCarry }) => cannotCarry.length > 0).map(
      ({ title, suffixes = {}, truth, cannotCarry }) =>
        `| ${title} | ${Object.keys(suffixes).join(', ') || '–'} | ${truth === undefined ? 'no' : 'yes'} | ${cannotCarry.join(', ') || '–'} |`,
    ),
    '',
  ].join('\n');
}

function metricsIndex(): string {
  return [
    NOTICE,
    '',
    '# Metrics',
    '',
    '| metric | question |',
    '|---|---|',
    ...CATALOG.map((metric) => `| [\`${metric.id}\`](${metricPath(metric)}.md) | ${metric.question} |`),
    '',
  ].join('\n');
}

if (import.meta.main) {
  const docs = import.meta.dirname;
  // All pages are made before one is removed: a fault in a command must not cost the pages there are.
  const pages = await generatedPages();
  for (const path of globSync(['metrics/**/*.md', 'formats/*.schema.json'], { cwd: docs }))
    if (!pages.has(path)) rmSync(join(docs, path));
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(docs, path)), { recursive: true });
    writeFileSync(join(docs, path), text);
  }
  // Not among the generated pages: judging the outputs takes half a minute, and their own test compares it.
  writeFileSync(join(docs, ATTACK_PAGE), await attackPage());
  writeFileSync(join(docs, REVIEW_ATTACK_PAGE), reviewAttackPage());
}
