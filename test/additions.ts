/** One addition for each row of the table in CONTRIBUTING.md, with no other files than the row names. */

export type Addition = {
  /** The first cell of the row. */
  readonly row: string;
  /** Path → the text of a new file, or a change of an existing one. */
  readonly files: Readonly<Record<string, string | ((text: string) => string)>>;
};

/** Puts lines before the first place of a text; a text that has changed fails here, not later. */
function before(place: string, lines: string): (text: string) => string {
  return (text) => {
    if (!text.includes(place))
      throw new Error(`there is no ${JSON.stringify(place)} to add something before`);
    return text.replace(place, () => `${lines}${place}`);
  };
}

function both(...edits: readonly ((text: string) => string)[]): (text: string) => string {
  return (text) => edits.reduce((edited, edit) => edit(edited), text);
}

const WORKFLOW_METRIC = `
import { shareFound } from '../counts.ts';
import { TWO_RUNS } from '../example-evidence.ts';
import { meanOverRepetitions } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const missedAlways: ReviewMetric = {
  id: 'workflow/missed-always',
  title: 'Missed in every run',
  question: 'What does the review never find?',
  formula: 'expected errors found in no run / expected errors × 100',
  unit: 'percent',
  range: [0, 100],
  better: 'lower',
  example: { given: '1 of 4 errors found in neither of two runs', cases: TWO_RUNS, value: 25 },
  compute: (runs) => meanOverRepetitions(runs, (repeated) => shareFound(repeated, (found) => found === 0)),
};
`;

const DECOMPOSITION_METRIC = `
import type { Metric } from '../../measure/metric.ts';
import type { CaseEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const unmatchedRate: Metric<CaseEvidence> = {
  id: 'decomposition/unmatched-rate',
  title: 'Unmatched rate',
  question: 'How many of the extracted concepts are not expected?',
  formula: 'extracted concepts that match nothing / extracted concepts',
  unit: 'ratio',
  range: [0, 1],
  better: 'lower',
  example: {
    given: '20 concepts extracted, 16 of them match',
    cases: [evidenceWith({ extracted: 20, correct: 16 })],
    value: 0.2,
  },
  compute: (cases) =>
    shareOverTrials(
      cases,
      ({ concepts }) => ({ count: concepts.filter(({ match }) => !match).length, of: concepts.length }),
      'nothing was extracted',
    ),
};
`;

const SESSION_METRIC = `
import { estimate, type Metric } from '../../measure/metric.ts';
import { meanOverCases } from '../../measure/over-cases.ts';
import { EXAMPLE_CASE } from '../example-session.ts';
import type { MeasuredSession } from '../measured-session.ts';

export const measuredShare: Metric<MeasuredSession> = {
  id: 'session/measured-share',
  title: 'Share that was scored',
  question: 'How many of the sessions have a Q?',
  formula: 'sessions with a Q / sessions',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  example: { given: 'one session with a Q', cases: [EXAMPLE_CASE], value: 1 },
  compute: (cases) => meanOverCases(cases, ({ q }) => estimate(q === undefined ? 0 : 1, 1)),
};
`;

const IMPORTER = `
/** Spotter: {"spotted":[{"path":"…","line":1,"text":"…"}]}. */
import { z } from 'zod';
import { isRecord, MAX_ITEMS } from '../fields.ts';
import { reportImporter } from '../imported-run.ts';

export const spotter = reportImporter({
  name: 'spotter',
  title: 'Spotter',
  cannotCarry: ['workflow', 'task', 'category', 'severity', 'depth', 'concerns', 'quote', 'labels', 'tokens'],
  severities: new Map(),
  schema: z.object({
    spotted: z.array(z.object({ path: z.string(), line: z.int(), text: z.string().trim().min(1) })).max(MAX_ITEMS),
  }),
  detect: (file) => file.kind === 'document' && isRecord(file.document.value) && 'spotted' in file.document.value,
  reportIn: (file) => (file.kind === 'document' ? file.document : undefined),
  read: ({ spotted }) => ({
    findings: spotted.map(({ path, line, text }, at) => ({
      place: ['spotted', at],
      message: text,
      file: path,
      from: line,
    })),
  }),
});
`;

const FORMAT = `  {
    name: 'parrot',
    title: 'Parrot',
    shows: ['ends'],
    versions: '1',
    places: (home) => [{ place: join(home, '.parrot') }],
    adapter: async () => (await import('./parrot.ts')).parrotAdapter,
  },
`;

const ADAPTER = `
/** One line per turn: {"parrot":"hears"|"says","text":"…"}. */
import { basename } from 'node:path';
import { asText } from '../json/json-fields.ts';
import { anyRecord, chatAdapter } from './chat.ts';

export const parrotAdapter = chatAdapter({
  detect: anyRecord(({ parrot }) => asText(parrot) !== undefined),
  start: ({ path }) => ({ session: basename(path, '.jsonl') }),
  before: ({ state, line, send }) => {
    if (line === 1) send({ kind: 'session', sessionId: state.session, agent: 'parrot' });
  },
  kind: ({ parrot }) => (parrot === 'hears' ? 'user' : parrot === 'says' ? 'assistant' : undefined),
  message: ({ text }) => ({ content: text }),
  reply: () => ({ stop: 'end' }),
});
`;

const REPORT_FORMAT = `
import type { View } from './view.ts';

/** Only the title and the answer. */
export function renderHeadline({ title, answer }: View): string {
  return \`HEADLINE \${title}: \${answer}\\n\`;
}
`;

const STORE = `
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import type { Store } from '../store.ts';

/** Behind \`vault:<path>\`: the same engine under another address. */
export function openVault(address: string): Promise<Store> {
  return openSqliteStore(address.slice('vault:'.length), address);
}
`;

const STORE_TEST = `
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeStoreContract } from '../contract.ts';
import { openStore } from '../open.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-vault-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

describeStoreContract('Vault', {
  open: () => openStore(\`vault:\${join(root, \`\${count++}.db\`)}\`),
  openAgain: (store) => openStore(store.address),
  stories: 3,
});
`;

const OPERATION = `
import type { Machine } from './session-request.ts';
import { listSources } from './list-sources.ts';

/** How many agents have anything here. */
export function countAgents(machine: Machine): number {
  return new Set(listSources(machine).sources.flatMap(({ agent, files }) => (files.length > 0 ? [agent] : []))).size;
}
`;

const COMMAND = `
import { AssayError } from '../errors.ts';
import { defineCommand } from './command.ts';

export const command = defineCommand({
  name: 'greet',
  summary: 'Say hello to somebody',
  positionals: { usage: 'NAME', max: 1 },
  options: {},
  examples: ['assay greet you'],
  run: async ({ positionals: [name] }, terminal) => {
    if (name === undefined) throw new AssayError('NOBODY_THERE', 'there is nobody to greet');
    terminal.print(\`Hello, \${name}.\\n\`);
    return 0;
  },
});
`;

const RESOURCE = `
import { z } from 'zod';
import { jsonRoute } from '../route.ts';

const greeting = z.strictObject({
  format: z.literal('assay-greeting'),
  version: z.literal(1),
  words: z.string(),
});

export const GREETING = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/greeting',
    summary: 'A word of welcome',
    scope: 'read',
    answer: greeting,
    handle: async () => ({ format: 'assay-greeting' as const, version: 1 as const, words: 'Hello' }),
  }),
];
`;

const PAGE = `
import { useResource } from '../../api/use-resource.ts';
import { Page } from '../../parts/page.tsx';
import { Show } from '../../parts/states.tsx';
import type { PageProps } from '../../routes.ts';

export function GreetingPage(_: PageProps) {
  const greeting = useResource<{ readonly words: string }>('greeting');
  return (
    <Page title="Words of welcome">
      <Show of={greeting}>{({ words }) => <p>{words}, whoever you are.</p>}</Show>
    </Page>
  );
}
`;

export const ADDITIONS: readonly Addition[] = [
  {
    row: 'a metric',
    files: {
      'src/workflow/metrics/missed-always.ts': WORKFLOW_METRIC,
      'src/workflow/catalog.ts': both(
        before('import { precision }', "import { missedAlways } from './metrics/missed-always.ts';\n"),
        before('    overallEffectivenessWith(choice),', '    missedAlways,\n'),
      ),
      'src/decomposition/metrics/unmatched-rate.ts': DECOMPOSITION_METRIC,
      'src/decomposition/catalog.ts': both(
        before(
          'import { verifiedProvenance }',
          "import { unmatchedRate } from './metrics/unmatched-rate.ts';\n",
        ),
        before('    forbiddenRelationshipRate,\n', '    unmatchedRate,\n'),
      ),
      'src/session/metrics/measured-share.ts': SESSION_METRIC,
      'src/session/catalog.ts': both(
        before('import { outcome }', "import { measuredShare } from './metrics/measured-share.ts';\n"),
        before(' q];', ' measuredShare,'),
      ),
    },
  },
  {
    row: 'an importer of findings',
    files: {
      'src/workflow/ingest/formats/spotter.ts': IMPORTER,
      'src/workflow/ingest/formats/importers.ts': both(
        before('\n/** In the order', "import { spotter } from './spotter.ts';\n"),
        before('  rdjson,\n', '  spotter,\n'),
      ),
    },
  },
  {
    row: 'a session format',
    files: {
      'src/session/ingest/formats/parrot.ts': ADAPTER,
      'src/session/ingest/formats/formats.ts': before("  {\n    name: 'neutral',", FORMAT),
    },
  },
  {
    row: 'a session column',
    files: {
      'src/session/columns.ts': before(
        '] as const satisfies readonly SessionColumn[];',
        `  {
    key: 'loudness',
    type: 'number',
    style: 'count',
    doc: 'How many runs it has, told again',
    read: ({ facts }) => facts.runs.length,
  },
`,
      ),
    },
  },
  {
    row: 'a report format',
    files: {
      'src/report/headline.ts': REPORT_FORMAT,
      'src/report/format.ts': before(
        '} as const satisfies Readonly<Record<string, Renderer>>;',
        "  headline: async (document) => (await import('./headline.ts')).renderHeadline(document),\n",
      ),
    },
  },
  {
    row: 'a store',
    files: {
      'src/store/vault/store.ts': STORE,
      'src/store/vault/store.test.ts': STORE_TEST,
      'src/store/open.ts': before(
        '  sqlite: openFile,\n',
        "  vault: async (address) => (await import('./vault/store.ts')).openVault(address),\n",
      ),
    },
  },
  {
    row: 'an operation',
    files: {
      'src/operations/session/count-agents.ts': OPERATION,
      'src/library/session.ts': before(
        'export { type Digest,',
        "export { countAgents } from '../operations/session/count-agents.ts';\n",
      ),
    },
  },
  {
    row: 'a command',
    files: {
      'src/cli/greet.ts': COMMAND,
    },
  },
  {
    row: 'a server resource',
    files: {
      'src/server/resources/greeting.ts': RESOURCE,
      'src/server/resources/resources.ts': both(
        before('import { INTAKE }', "import { GREETING } from './greeting.ts';\n"),
        before('  ...EVENTS,\n', '  ...GREETING,\n'),
      ),
    },
  },
  {
    row: 'a dashboard page',
    files: {
      'web/src/pages/greeting/greeting-page.tsx': PAGE,
      'web/src/routes.ts': before(
        "  {\n    path: '/alerts',",
        `  {
    path: '/greeting',
    section: '/',
    load: async () => (await import('./pages/greeting/greeting-page.tsx')).GreetingPage,
  },
`,
      ),
    },
  },
  {
    row: 'an error',
    files: {
      'src/errors.ts': before(
        '  INTERNAL: {',
        "  NOBODY_THERE: { what: 'Nobody was named.', remedy: 'Name somebody.' },\n",
      ),
    },
  },
  {
    row: 'a setting',
    files: {
      'src/settings/production.ts': before(
        '  seed: z',
        "  team: z.string().default('us').describe('Whose requests these are.'),\n",
      ),
    },
  },
];
