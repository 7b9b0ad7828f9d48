/** Tricks that make a review look better than it is, and honest reviews that must not be taken for one: as files, with the verdict. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NOTICE } from '../../docs/notice.ts';
import { type CommandResult, runCommand } from '../../src/testing/run-command.ts';

type Json = Readonly<Record<string, unknown>>;
type Run = Json | string;
type Runs = Readonly<Record<string, Run>>;

export type Trick = {
  readonly name: string;
  readonly what: string;
  /** Files below the folder, by their paths. */
  readonly files: Runs;
  /** The rest of `assay workflow compare` or another command; the first two are `v1` and `v2` unless it says otherwise. */
  readonly command?: readonly string[];
  readonly verdict: string;
  readonly exit: number;
  /** What the answer must say. */
  readonly says?: RegExp;
};

/** 24 known errors of three lines in 600, every sixth of them critical; the reviewed file is at hand. */
const ERRORS = 24;
const LINES = 600;
const numbers = (n: number, from = 1) => Array.from({ length: n }, (_, i) => i + from);
const errorAt = (i: number) => 25 * i - 13;
const severityOf = (i: number) => (i % 6 === 1 ? 'CRITICAL' : i % 2 ? 'IMPORTANT' : 'MINOR');
const CRITICAL = [1, 7, 13, 19];

const truthError = (i: number) => ({
  id: `E${i}`,
  severity: severityOf(i),
  category: i % 3 ? 'EDGE' : 'SECURE',
  description: `known error ${i}`,
  locations: [{ file: 'src/app.ts', lines: [errorAt(i), errorAt(i) + 2] }],
});
export const truthOf = (
  task = 'T1',
  errors: readonly Json[] = numbers(ERRORS).map(truthError),
  version = '1',
) => ({
  task,
  version,
  errors,
});

const SOURCE = numbers(LINES)
  .map((line) => `const value${line} = compute(${line}, 'line ${line} of the file');`)
  .join('\n');

type Finding = { id?: string; title: string; file: string; lines: readonly [number, number] } & Json;
const at = (from: number, to = from, rest: Json = {}): Finding => ({
  title: `look at ${from} to ${to}`,
  file: 'src/app.ts',
  lines: [from, to],
  ...rest,
});
const hit = (i: number, rest: Json = {}): Finding => ({
  ...at(errorAt(i), errorAt(i) + 1, rest),
  title: `finding of ${i}`,
});
/** Between the errors: false alarms. */
const alarm = (i: number, rest: Json = {}): Finding => ({
  ...at(25 * i, 25 * i, rest),
  title: `false alarm ${i}`,
});
const numbered = (findings: readonly Json[]) => findings.map((one, i) => ({ id: `F${i + 1}`, ...one }));

const review = (workflow: string, run: string, findings: readonly Json[], rest: Json = {}): Json => ({
  workflow,
  task: 'T1',
  run,
  findings: numbered(findings),
  ...rest,
});

/** Three runs of one workflow. `found` says which errors each finds, `wrong` which false alarms. */
const runsOf = (
  workflow: string,
  found: readonly (readonly number[])[],
  more: (run: number) => readonly Json[] = (run) => [alarm(2 + run), alarm(9 + run), alarm(16 + run)],
  rest: Json = {},
): Runs =>
  Object.fromEntries(
    found.map((own, i) => [
      `runs/${workflow}/T1/${i + 1}.json`,
      review(workflow, String(i + 1), [...own.map((error) => hit(error)), ...more(i)], rest),
    ]),
  );

const FEW = [
  [1, 2, 3, 4, 5, 7, 13, 19, 20],
  [1, 2, 3, 4, 6, 7, 13, 19, 20],
  [1, 2, 3, 5, 6, 7, 13, 19],
];
const MANY = FEW.map((own, run) => [
  ...new Set([...own, 8, 9, 10, 11, 12, 14, 15, 16, 17, ...(run === 1 ? [] : [18])]),
]);
const NONE = [[], [], []];

const TRUTH = { 'truth/T1.json': truthOf(), 'documents/T1/src/app.ts': SOURCE } as const;
const before = runsOf('v1', FEW);
const everyLine = (own: Json = {}) => numbers(LINES - 18, 10).map((line) => at(line, line, own));
const tiles = (width: number, own: Json = {}) =>
  numbers(Math.floor(LINES / width), 0).map((i) => at(i * width + 1, (i + 1) * width, own));

const sarifOf = (findings: readonly Finding[]): Json => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'v2' } },
      results: findings.map(({ title, file, lines: [from, to], category }) => ({
        ruleId: category ?? 'rule-17',
        level: 'warning',
        message: { text: title },
        locations: [
          { physicalLocation: { artifactLocation: { uri: file }, region: { startLine: from, endLine: to } } },
        ],
      })),
    },
  ],
});
const markdownOf = (findings: readonly Finding[]): string =>
  `# Review\n\n${findings.map(({ title, file, lines: [from, to] }) => `- ${file}:${from}-${to} ${title}`).join('\n')}\n`;

const written = (suffix: string, write: (findings: readonly Finding[]) => Run): Runs =>
  Object.fromEntries(
    MANY.map((own, i) => [
      `runs/v2/T1/${i + 1}.${suffix}`,
      write([...own.map((error) => hit(error)), alarm(2 + i), alarm(9 + i), alarm(16 + i)]),
    ]),
  );

/** Six tasks that say the same under other names. */
const sameTasks = (names: readonly string[]): Runs => {
  const errors = numbers(4).map(truthError);
  return Object.fromEntries(
    names.flatMap((task) => [
      [`truth/${task}.json`, truthOf(task, errors, task)],
      ...['v1', 'v2'].flatMap((workflow) =>
        numbers(3).map(
          (run) =>
            [
              `runs/${workflow}/${task}/${run}.json`,
              review(
                workflow,
                String(run),
                workflow === 'v1' ? [hit(1)] : [hit(1), hit(2), hit(3), ...(run === 2 ? [hit(4)] : [])],
                {
                  task,
                },
              ),
            ] as const,
        ),
      ),
    ]),
  );
};

/** Errors in so many files, of which v2 finds 60 points more. */
const inFiles = (files: number, perFile: number): Runs => {
  const all = numbers(files * perFile);
  const place = (i: number) => ({
    file: `src/part${i % files}.ts`,
    lines: [10 * Math.ceil(i / files), 10 * Math.ceil(i / files) + 1] as const,
  });
  const errors = all.map((i) => ({ ...truthError(i), severity: 'MINOR', locations: [place(i)] }));
  const found = (share: number, run: number) =>
    all.filter((i) => (i * 7 + run) % 10 < share).map((i) => ({ title: `finding of ${i}`, ...place(i) }));
  return {
    'truth/T1.json': truthOf('T1', errors),
    ...Object.fromEntries(
      ['v1', 'v2'].flatMap((workflow) =>
        numbers(3).map((run) => [
          `runs/${workflow}/T1/${run}.json`,
          review(
            workflow,
            String(run),
            found(workflow === 'v1' ? 2 : 8, workflow === 'v1' ? run * (run - 1) : run),
            {},
          ),
        ]),
      ),
    ),
  };
};

const deterministic = (workflow: string, found: readonly number[], rest: Json = {}): Runs =>
  runsOf(workflow, [found, found, found], () => [alarm(3)], rest);

const label = (by: string, match: string, error?: string): Json => ({
  label: { match, by, ...(error && { error }) },
});
const OWN_LABELS = (by: string): Runs =>
  runsOf(
    'v2',
    FEW,
    () => [
      ...[8, 9, 10, 11, 12, 14, 15, 16, 17].map((i) => alarm(i, label(by, 'Y', `E${i}`))),
      alarm(2, label(by, 'BONUS_VALID')),
    ],
    { model: 'claude-sonnet-4-5-20250929' },
  );

const DEEP = (workflow: string, depth: string): Runs =>
  runsOf(workflow, FEW, () => [alarm(3)], { agent_tokens: 20_000, workflow_tokens: 5000, concerns: [] }) &&
  Object.fromEntries(
    FEW.map((own, i) => [
      `runs/${workflow}/T1/${i + 1}.json`,
      review(
        workflow,
        String(i + 1),
        own.map((error) => hit(error, { depth })),
        {
          agent_tokens: 20_000 + i,
          workflow_tokens: 5000,
        },
      ),
    ]),
  );

const swapped = FEW.map((own) => [...own.filter((i) => i !== 1), 8, 9, 10, 11, 12, 14, 15, 16, 17, 25]);

/** What must not be taken for an improvement. */
export const TRICKS: readonly Trick[] = [
  {
    name: 'a comment on every line',
    what: 'one finding for each of 97% of the lines',
    files: { ...TRUTH, ...before, ...runsOf('v2', NONE, () => everyLine()) },
    verdict: 'mixed: more false alarms',
    exit: 1,
  },
  {
    name: 'a comment on every line, on top',
    what: 'the findings of the baseline and one for each line',
    files: { ...TRUTH, ...before, ...runsOf('v2', FEW, () => everyLine()) },
    verdict: 'mixed: more false alarms',
    exit: 1,
  },
  {
    name: 'every line against a silent baseline',
    what: 'the baseline reports nothing, so it has no precision to fall from',
    files: { ...TRUTH, ...runsOf('v1', NONE, () => []), ...runsOf('v2', NONE, () => everyLine()) },
    verdict: 'mixed: more false alarms',
    exit: 1,
  },
  {
    name: 'every line in every category',
    what: 'two findings for each line, one per category of the errors',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf('v2', NONE, () => [...everyLine({ category: 'EDGE' }), ...everyLine({ category: 'SECURE' })]),
    },
    verdict: 'mixed: more false alarms',
    exit: 1,
  },
  {
    name: 'tiles',
    what: 'findings of ten lines that cover the file without a gap',
    files: { ...TRUTH, ...before, ...runsOf('v2', NONE, () => tiles(10)) },
    verdict: 'mixed: more false alarms',
    exit: 1,
  },
  {
    name: 'tiles against a noisy baseline',
    what: 'the baseline is as imprecise as the tiles, which only cover more',
    files: {
      ...TRUTH,
      ...runsOf(
        'v1',
        FEW.map((own) => own.slice(0, 6)),
        () => numbers(12).map((i) => alarm(i)),
      ),
      ...runsOf('v2', NONE, () => tiles(10)),
    },
    verdict: 'mixed: more false alarms',
    exit: 1,
  },
  {
    name: 'wide tiles without a category',
    what: '24 findings of 25 lines; each lies over one error and matches it in part',
    files: {
      ...TRUTH,
      ...runsOf(
        'v1',
        FEW.map((own) => own.slice(0, 4)),
        () => [],
      ),
      ...runsOf('v2', NONE, () => tiles(25)),
    },
    verdict: 'mixed: more false alarms',
    exit: 1,
  },
  {
    name: 'quoted tiles',
    what: 'quotes of twelve lines without a place of their own; together they quote the whole file',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf('v2', NONE, () =>
        numbers(60, 0).map((i) => ({
          title: `part ${i}`,
          file: 'src/app.ts',
          quote: SOURCE.split('\n')
            .slice(10 * i, 10 * i + 8)
            .join('\n'),
        })),
      ),
    },
    command: ['compare', 'runs/v1', 'runs/v2', '--truth', 'truth/T1.json', '--documents', 'documents/T1'],
    verdict: 'mixed: more false alarms',
    exit: 1,
  },
  {
    name: 'duplicates',
    what: 'every finding five times in other words',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf('v2', FEW, (run) => [
        ...numbers(4).flatMap((n) => (FEW[run] ?? []).map((i) => hit(i, { description: `again ${n}` }))),
        alarm(2 + run),
        alarm(9 + run),
        alarm(16 + run),
      ]),
    },
    verdict: 'within run noise',
    exit: 0,
  },
  {
    name: 'everything critical',
    what: 'every finding claims to be critical and deep',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf(
        'v2',
        FEW.map((own) => own),
        (run) => [alarm(2 + run, { severity: 'CRITICAL' }), alarm(9 + run), alarm(16 + run)],
      ),
    },
    verdict: 'within run noise',
    exit: 0,
  },
  {
    name: 'labels by itself',
    what: 'the workflow calls its own false alarms matches and bonus findings',
    files: { ...TRUTH, ...before, ...OWN_LABELS('v2') },
    verdict: 'within run noise',
    exit: 0,
    says: /v2/,
  },
  {
    name: 'labels by its own model',
    what: 'the same, signed with a short name of the model that it runs on',
    files: { ...TRUTH, ...before, ...OWN_LABELS('Claude Sonnet 4.5') },
    verdict: 'within run noise',
    exit: 0,
  },
  {
    name: 'self-declared depth, by OES',
    what: 'every finding says of itself that it reached the root cause',
    files: { ...TRUTH, ...DEEP('v1', 'SYMPTOM'), ...DEEP('v2', 'ROOT_CAUSE') },
    command: ['compare', 'v1', 'v2', '--experiment', '.', '--primary', 'oes'],
    verdict: 'within run noise',
    exit: 0,
    says: /self-declared/,
  },
  {
    name: 'self-declared depth, by the documented rule',
    what: 'the same, decided by the documented rule on OES',
    files: { ...TRUTH, ...DEEP('v1', 'SYMPTOM'), ...DEEP('v2', 'ROOT_CAUSE') },
    command: ['compare', 'v1', 'v2', '--experiment', '.', '--rule', 'documented'],
    verdict: 'within run noise',
    exit: 0,
  },
  {
    name: 'self-declared depth, by DQ',
    what: 'depth quality as the metric that decides',
    files: { ...TRUTH, ...DEEP('v1', 'SYMPTOM'), ...DEEP('v2', 'ROOT_CAUSE') },
    command: ['compare', 'v1', 'v2', '--experiment', '.', '--primary', 'dq'],
    verdict: 'not comparable',
    exit: 2,
  },
  {
    name: 'one task under six names',
    what: 'six ground truths that say the same, so that there seem to be six independent tasks',
    files: sameTasks(['T1', 'T2', 'T3', 'T4', 'T5', 'T6']),
    verdict: 'improved on this error set only',
    exit: 2,
  },
  {
    name: 'one task under six names, in the claim',
    what: 'six names are no five tasks, so nothing generalises',
    files: sameTasks(['T1', 'T2', 'T3', 'T4', 'T5', 'T6']),
    command: ['report', '.', '--baseline', 'v1'],
    verdict: '',
    exit: 0,
    says: /"claim": "generalises",\s+"about": "v2",\s+"allowed": false/,
  },
  {
    name: 'runs that were dropped',
    what: 'runs 1, 4 and 9 of the candidate; those between are not there',
    files: {
      ...TRUTH,
      ...before,
      ...Object.fromEntries(
        MANY.map((own, i) => [
          `runs/v2/T1/${[1, 4, 9][i]}.json`,
          review(
            'v2',
            String([1, 4, 9][i]),
            own.map((error) => hit(error)),
          ),
        ]),
      ),
    },
    verdict: 'improved',
    exit: 2,
    says: /run 2, 3, 5/,
  },
  {
    name: 'a hard task that was dropped',
    what: 'the candidate has not reviewed the task on which it is bad',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf('v2', MANY),
      'truth/T2.json': truthOf(
        'T2',
        numbers(8).map((i) => ({ ...truthError(i + 30), severity: 'MINOR' })),
      ),
      ...Object.fromEntries(
        numbers(3).map((run) => [
          `runs/v1/T2/${run}.json`,
          review(
            'v1',
            String(run),
            numbers(8).map((i) => hit(i + 30)),
            { task: 'T2' },
          ),
        ]),
      ),
      'runs/v2/T2/1.json': review('v2', '1', [], { task: 'T2' }),
    },
    verdict: 'too few to tell',
    exit: 2,
    says: /T2/,
  },
  {
    name: 'silent runs in prose',
    what: 'three good runs and three that say that everything is fine',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf('v2', MANY),
      'runs/v2/T1/4.md': 'Everything looks fine to me.\n',
      'runs/v2/T1/5.txt': 'LGTM! Nice work.',
      'runs/v2/T1/6.markdown': '# Review\n\nNo issues were found. The code is clean.\n',
    },
    verdict: 'within run noise',
    exit: 0,
    says: /"runs": 6/,
  },
  {
    name: 'a run that cannot be read',
    what: 'a fourth run is a file that holds no review',
    files: { ...TRUTH, ...before, ...runsOf('v2', MANY), 'runs/v2/T1/4.pdf': '%PDF-1.7' },
    verdict: '',
    exit: 3,
    says: /4\.pdf/,
  },
  {
    name: 'a run outside of its task',
    what: 'the bad runs lie next to the folder of the task, where nobody looks',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf('v2', MANY),
      'runs/v2/4.json': review('v2', '4', []),
      'runs/v2/5.json': review('v2', '5', []),
    },
    verdict: '',
    exit: 3,
    says: /4\.json/,
  },
  {
    name: 'an empty run',
    what: 'the fourth run wrote an empty file',
    files: { ...TRUTH, ...before, ...runsOf('v2', MANY), 'runs/v2/T1/4.md': '\n' },
    verdict: '',
    exit: 3,
    says: /4\.md/,
  },
  {
    name: 'lost critical errors',
    what: 'two critical errors are never found any more, and ten others are',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf(
        'v2',
        MANY.map((own) => own.filter((i) => i !== 1 && i !== 13)),
      ),
    },
    verdict: 'mixed: loses critical errors',
    exit: 1,
    says: /E1, E13/,
  },
  {
    name: 'critical errors found less often',
    what: 'each of four is found in one run of three instead of in all',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf(
        'v2',
        MANY.map((own, run) => own.filter((i) => !CRITICAL.includes(i) || CRITICAL.indexOf(i) % 3 === run)),
      ),
    },
    verdict: 'mixed: loses critical errors',
    exit: 1,
  },
  {
    name: 'swapped critical errors',
    what: 'one critical error for another: the rate stays, the sum stays, an error that was always found is gone',
    files: {
      ...TRUTH,
      'truth/T1.json': truthOf(
        'T1',
        numbers(25).map((i) =>
          i === 25
            ? {
                ...truthError(25),
                severity: 'CRITICAL',
                locations: [{ file: 'src/app.ts', lines: [598, 600] }],
              }
            : truthError(i),
        ),
      ),
      ...before,
      ...Object.fromEntries(
        swapped.map((own, i) => [
          `runs/v2/T1/${i + 1}.json`,
          review('v2', String(i + 1), [
            ...own.map((error) => (error === 25 ? at(598, 599) : hit(error))),
            alarm(2 + i),
            alarm(9 + i),
            alarm(16 + i),
          ]),
        ]),
      ),
    },
    verdict: 'mixed: loses critical errors',
    exit: 1,
    says: /E1\b/,
  },
  {
    name: 'one run copied three times',
    what: 'a lucky run under three names; three more errors than the baseline',
    files: {
      ...TRUTH,
      ...deterministic('v1', [2, 3, 4, 5, 6]),
      ...deterministic('v2', [2, 3, 4, 5, 6, 8, 9, 10]),
    },
    verdict: 'improved on this error set only',
    exit: 2,
  },
  {
    name: 'one file given twice',
    what: 'the same bytes under another name',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf('v2', MANY),
      'runs/v2/T1/4.json': review('v2', '1', [
        ...(MANY[0] ?? []).map((error) => hit(error)),
        alarm(2),
        alarm(9),
        alarm(16),
      ]),
    },
    verdict: '',
    exit: 3,
    says: /same content|counts once/,
  },
  {
    name: 'equal scores by chance',
    what: 'six of 24 in every run, but never the same six: not deterministic, and no McNemar',
    files: {
      ...TRUTH,
      ...runsOf(
        'v1',
        [
          [2, 3, 4, 5],
          [6, 8, 9, 10],
          [11, 12, 14, 15],
        ],
        () => [],
      ),
      ...runsOf(
        'v2',
        [
          [2, 3, 4, 5, 6],
          [8, 9, 10, 11, 12],
          [14, 15, 16, 17, 18],
        ],
        () => [],
      ),
    },
    verdict: 'within run noise',
    exit: 0,
    says: /"mcnemar": null/,
  },
  {
    name: 'a huge tolerance',
    what: 'anything in the file would count in part',
    files: { ...TRUTH, ...before, ...runsOf('v2', FEW) },
    command: ['compare', 'v1', 'v2', '--experiment', '.', '--line-tolerance', '9999'],
    verdict: '',
    exit: 3,
  },
  {
    name: 'another ground truth',
    what: 'the candidate was scored after the errors that it misses were taken out',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf('v2', FEW),
      'truth/easy.json': truthOf(
        'T1',
        numbers(24)
          .filter((i) => FEW.flat().includes(i))
          .map(truthError),
      ),
    },
    command: ['score then compare'],
    verdict: 'not comparable',
    exit: 2,
    says: /ground truth of T1/,
  },
  {
    name: 'many tiny tasks',
    what: 'three files with four errors each, cut into twelve tasks',
    files: Object.fromEntries(
      numbers(12).flatMap((task) => {
        const file = `src/part${task % 3}.ts`;
        const place = { file, lines: [10 * task, 10 * task + 1] };
        return [
          [
            `truth/T${task}.json`,
            truthOf(`T${task}`, [{ ...truthError(task), severity: 'MINOR', locations: [place] }]),
          ],
          [`documents/T${task}/${file}`, `${file}\n${SOURCE}`],
          ...numbers(3).flatMap((run) => [
            [
              `runs/v1/T${task}/${run}.json`,
              review('v1', String(run), [at(500 + run)], { task: `T${task}` }),
            ],
            [
              `runs/v2/T${task}/${run}.json`,
              review(
                'v2',
                String(run),
                [at(500 + run), ...(task % 3 === 2 && run === 2 ? [] : [{ title: 'it', ...place }])],
                { task: `T${task}` },
              ),
            ],
          ]),
        ];
      }),
    ),
    verdict: 'improved on this error set only',
    exit: 2,
  },
  {
    name: 'five files',
    what: '200 errors in five files: five files may all be of one kind',
    files: inFiles(5, 40),
    verdict: 'improved on this error set only',
    exit: 2,
    says: /documents?/,
  },
];

/** What must be taken for what it is. */
export const HONEST: readonly Trick[] = [
  {
    name: 'more errors, as many false alarms',
    what: 'nine errors more in every run',
    files: { ...TRUTH, ...before, ...runsOf('v2', MANY) },
    verdict: 'improved',
    exit: 0,
  },
  ...(
    [
      ['SARIF', 'the same with rule ids for categories', written('sarif', sarifOf)],
      ['Markdown', 'the same as a list of places in a page', written('md', markdownOf)],
    ] as const
  ).map(([name, what, runs]) => ({
    name: `the same in ${name}`,
    what,
    files: { ...TRUTH, ...before, ...runs },
    verdict: 'improved',
    exit: 0,
    says: new RegExp(`"after": ${((100 * MANY.flat().length) / 72).toFixed(4)}`.slice(0, 15)),
  })),
  {
    name: 'one critical error missed in one run',
    what: 'noise, and no loss',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf(
        'v2',
        MANY.map((own, run) => own.filter((i) => run !== 1 || i !== 13)),
      ),
    },
    verdict: 'improved',
    exit: 0,
  },
  {
    name: 'deterministic, nine errors more',
    what: 'two tools that answer the same every time: exact McNemar',
    files: {
      ...TRUTH,
      ...deterministic('v1', [1, 7, 13, 19]),
      ...deterministic('v2', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 19]),
    },
    verdict: 'improved',
    exit: 0,
    says: /"only_after": 9/,
  },
  {
    name: 'six files',
    what: '60 points more over 200 errors in six files or more',
    files: inFiles(8, 25),
    verdict: 'improved',
    exit: 0,
  },
  {
    name: 'five files, asked about these alone',
    what: '--on-this-set takes the verdict for what it says',
    files: inFiles(5, 40),
    command: ['compare', 'v1', 'v2', '--experiment', '.', '--on-this-set'],
    verdict: 'improved on this error set only',
    exit: 0,
  },
  {
    name: 'the layout of the document',
    what: 'v6 on T1, v6.1 on T1 and T3: T1 is compared, and nothing is wrong with its truth',
    files: {
      ...TRUTH,
      ...before,
      ...runsOf('v2', MANY),
      'truth/T3.json': truthOf(
        'T3',
        numbers(4).map((i) => truthError(i + 30)),
      ),
      ...Object.fromEntries(
        numbers(3).map((run) => [
          `runs/v2/T3/${run}.json`,
          review('v2', String(run), [hit(31)], { task: 'T3' }),
        ]),
      ),
    },
    verdict: 'improved',
    exit: 0,
    says: /"name": "ground truth",\s+"state": "held"/,
  },
  {
    name: 'the documented rule',
    what: 'it decides when it is asked to, and says how often it is wrong',
    files: { ...TRUTH, ...before, ...runsOf('v2', MANY) },
    command: ['compare', 'v1', 'v2', '--experiment', '.', '--rule', 'documented'],
    verdict: 'improved',
    exit: 0,
    says: /"false_alarm_rate": 0.07/,
  },
  {
    name: 'F1 decides',
    what: 'F1 as the metric that was named before',
    files: { ...TRUTH, ...before, ...runsOf('v2', MANY) },
    command: ['compare', 'v1', 'v2', '--experiment', '.', '--primary', 'f1', '--on-this-set'],
    verdict: 'improved on this error set only',
    exit: 0,
  },
  {
    name: 'fewer errors',
    what: 'nine errors less in every run',
    files: { ...TRUTH, ...runsOf('v1', MANY), ...runsOf('v2', FEW) },
    verdict: 'worse',
    exit: 1,
  },
  {
    name: 'the same workflow twice',
    what: 'other runs of the same',
    files: { ...TRUTH, ...before, ...runsOf('v2', FEW.toReversed()) },
    verdict: 'within run noise',
    exit: 0,
  },
];

export type Judged = {
  readonly trick: Trick;
  readonly verdict: string;
  readonly exit: number;
  readonly text: string;
};

/** Writes the files below the folder and asks the command, as somebody would. */
export async function judgeTrick(trick: Trick, folder: string): Promise<Judged> {
  for (const [path, content] of Object.entries(trick.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const { command = ['compare', 'v1', 'v2', '--experiment', '.'] } = trick;
  const { status, stdout, stderr } =
    command[0] === 'score then compare' ? await scoredApart(folder) : await assay(command, folder);
  const found = /"verdict": "([^"]+)"/.exec(stdout)?.[1] ?? '';
  return { trick, verdict: command[0] === 'report' ? '' : found, exit: status, text: stdout + stderr };
}

async function scoredApart(folder: string): Promise<CommandResult> {
  const store = ['--store', join(folder, 'store.db')];
  await assay(['score', 'runs/v1', '--truth', 'truth/T1.json', ...store], folder);
  await assay(['score', 'runs/v2', '--truth', 'truth/easy.json', ...store], folder);
  return assay(['compare', 'v1', 'v2', ...store], folder);
}

function assay([name = '', ...rest]: readonly string[], folder: string): Promise<CommandResult> {
  const gate = name === 'compare' ? ['--gate'] : [];
  return runCommand(['workflow', name, ...rest, ...gate, '--format', 'json'], { cwd: folder });
}

export const REVIEW_ATTACK_PAGE = 'workflow-attacks.md';

/** The page with the verdict on each. */
export function reviewAttackPage(): string {
  const table = (kinds: readonly Trick[]) => [
    '| reviews | what they are | verdict | exit code |',
    '|---|---|---|---|',
    ...kinds.map(
      ({ name, what, verdict, exit }) =>
        `| ${name} | ${what} | ${verdict === '' && exit === 3 ? 'refused' : verdict} | ${exit} |`,
    ),
  ];
  return [
    NOTICE,
    '',
    '# What a comparison says of tricks and of honest reviews',
    '',
    `Assay writes ${TRICKS.length} tricks and ${HONEST.length} honest comparisons to files and runs \`assay workflow compare v1 v2 --experiment . --gate\` on them.`,
    'A test fails when one gets another verdict. The code is in `test/attacks/reviews.ts`, the test is `test/review-attacks.test.ts`.',
    '',
    '## Tricks',
    '',
    ...table(TRICKS),
    '',
    '## Honest reviews',
    '',
    ...table(HONEST),
    '',
  ].join('\n');
}
