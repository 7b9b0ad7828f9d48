import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { encode } from '../api/wire.ts';
import {
  type InitRequest,
  type InitResult,
  initProject,
  truthPathOf,
  WRITTEN_CONFIG,
} from '../operations/init/init-project.ts';
import { inspectFolder, type ProjectFolder } from '../operations/init/inspect-folder.ts';
import { schemaAddress } from '../operations/schema-address.ts';
import { listSources } from '../operations/session/list-sources.ts';
import type { Action } from '../report/action.ts';
import { formatAmount } from '../report/number.ts';
import type { Block, View } from '../report/view.ts';
import { CONFIG_OPTION, DOCUMENT_FORMAT_OPTION, defineCommand, type Terminal } from './command.ts';
import { ciStep, configText, TEST_SCRIPT } from './init-texts.ts';
import { withPorts } from './open-ports.ts';
import { printResult } from './print-result.ts';
import { machineOf } from './sessions/session-request.ts';
import { readSettings } from './settings.ts';

export const command = defineCommand({
  name: 'init',
  summary: 'Set up a project: a commented configuration, a first golden case or ground truth, a CI step',
  options: {
    yes: { type: 'flag', doc: 'Ask no questions; use the suggestions for this folder' },
    measure: {
      type: 'choice',
      choices: ['decomposition', 'workflow', 'sessions'],
      doc: 'What to measure (default: suggested by the folder)',
    },
    text: { type: 'path', value: 'FILE', doc: 'A text to draft the first golden case from' },
    review: {
      type: 'path',
      value: 'FILE',
      doc: 'Findings of a review, to draft the first ground truth from',
    },
    ci: { type: 'choice', choices: ['github', 'gitlab', 'none'], doc: 'The CI step to write' },
    format: DOCUMENT_FORMAT_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay init',
    'assay init --yes --text notes/marsh.txt --ci github',
    'assay init --yes --review review.md',
  ],
  notes: ['Asks at most three questions, and none outside a terminal. Never overwrites a file.'],
  run: async (args, terminal) => {
    const found = inspectFolder(terminal.cwd);
    const { measure, text, review, ci } = args.values;
    const transcripts = measure === undefined ? transcriptsHere(terminal) : undefined;
    const given = { measure, text, review, ci, transcripts };
    const ask = !args.values.yes && process.stdin.isTTY === true && process.stdout.isTTY === true;
    const answers = ask ? await askAll(found, given) : defaultAnswers(found, given);
    const { config } = await readSettings(args, terminal);
    const { measured } = answers;
    const request = {
      measured,
      config: configText(schemaAddress(resolve(terminal.cwd, WRITTEN_CONFIG), 'configuration')),
      ...ciStep(answers, found),
      folder: terminal.cwd,
      ...(measured === 'decomposition' && { script: TEST_SCRIPT }),
      rules: config.decomposition.golden,
      categories: config.workflow.categories,
      ...(answers.text !== undefined && { text: resolve(terminal.cwd, answers.text) }),
      ...(answers.review !== undefined && { review: resolve(terminal.cwd, answers.review) }),
    };
    const result = await withPorts(args, terminal, (ports) => initProject(request, ports));
    await printResult(args, terminal, {
      document: () => initView(result, transcripts),
      json: async () => encode((await import('../api/schema/init.ts')).initResult, result),
    });
    return 0;
  },
});

/** Written files, unchanged files and next steps. */
function initView(result: InitResult, transcripts?: string): View {
  const { written, existing: kept, draft, truth, found } = result;
  return {
    title: 'init',
    answer:
      written.length === 0
        ? 'Everything is set up already.'
        : `${formatAmount(written.length, 'file')} written.`,
    blocks: [...listOf('Written', written), ...listOf('Exists, unchanged', kept)],
    notes: [
      ...(draft === undefined
        ? []
        : [
            'The golden case is a draft: correct it, then delete its "draft" line. No gate passes on a draft.',
          ]),
      ...(truth === undefined
        ? []
        : [
            `The ground truth holds what one review found (${formatAmount(truth.truth.errors.length, 'error')}). It is a draft: correct it, add what the review missed, then delete its "draft" line. No gate passes on a draft.`,
          ]),
      ...(transcripts === undefined
        ? []
        : [`This machine has transcripts of ${transcripts}; assay alone scores them.`]),
      ...(found.promptfoo === undefined
        ? []
        : [`${found.promptfoo}: promptfoo eval -o results.json writes what --outputs results.json reads.`]),
      ...(written.includes('.gitlab/assay.gitlab-ci.yml')
        ? ['Name .gitlab/assay.gitlab-ci.yml in .gitlab-ci.yml: its first lines say how.']
        : []),
    ],
    next: nextOf(result),
  };
}

function listOf(title: string, items: readonly string[]): Block[] {
  return items.length === 0 ? [] : [{ kind: 'list', title, items: [...items] }];
}

function truthStep({ truths, review }: InitResult['found'], drafted: string | undefined): Action[] {
  const [there] = truths.map((name) => `truth/${name}`);
  const path = drafted ?? there;
  if (path !== undefined) return [{ operation: 'workflow lint', positionals: [path] }];
  return review === undefined
    ? [{ operation: 'workflow new', options: { help: true } }, { operation: 'example' }]
    : [{ operation: 'workflow new', positionals: [truthPathOf(review)], options: { review } }];
}

function nextOf({ measured, draft, truth, found, first }: InitResult): Action[] {
  if (measured === 'sessions') return [{ operation: 'sessions score' }, { operation: 'sessions list' }];
  if (measured === 'workflow')
    return truthStep(found, truth === undefined ? undefined : truthPathOf(truth.review));
  if (draft === undefined && found.golden === 0) {
    return first === undefined
      ? [{ operation: 'decomposition new', options: { help: true } }, { operation: 'example' }]
      : [{ operation: 'decomposition new', positionals: [first.id], options: { text: first.text } }];
  }
  return [{ operation: 'decomposition lint' }, { operation: 'decomposition run' }];
}

export type Answers = Pick<InitRequest, 'measured'> & {
  readonly ci: string;
  readonly text?: string;
  readonly review?: string;
};
type InitGiven = {
  readonly [K in 'measure' | 'text' | 'review' | 'ci' | 'transcripts']: string | undefined;
};

/** The defaults that the folder suggests, overridden by the command line. */
function defaultAnswers(found: ProjectFolder, given: InitGiven): Answers {
  const { measure, text, review, ci } = given;
  return {
    measured: (measure ?? suggestionOf(found, given)) as Answers['measured'],
    ci: ci ?? (found.gitlab ? 'gitlab' : 'github'),
    text,
    review,
  };
}

/** The given path, else what the folder contains, else what this machine has. */
function suggestionOf(found: ProjectFolder, { text, review, transcripts }: InitGiven): Answers['measured'] {
  if (text !== undefined) return 'decomposition';
  if (review !== undefined || found.truths.length > 0) return 'workflow';
  const { golden, prompts, promptfoo, text: aText } = found;
  if (golden > 0 || prompts || promptfoo !== undefined) return 'decomposition';
  if (found.review !== undefined) return 'workflow';
  return aText === undefined && transcripts !== undefined ? 'sessions' : 'decomposition';
}

const TEXT = 'A text to draft a golden case from';
const REVIEW = 'A review to draft a ground truth from';

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** At most three questions, only for what the command line left open. */
async function askAll(found: ProjectFolder, given: InitGiven): Promise<Answers> {
  const suggested = defaultAnswers(found, given);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const choose = async (
    question: string,
    choices: readonly string[],
    suggestion: string,
  ): Promise<string> => {
    const answer = (await lines.question(`${question} (${choices.join(', ')}) [${suggestion}] `)).trim();
    if (answer === '') return suggestion;
    const fitting = choices.find((one) => one === answer || one.startsWith(answer));
    if (fitting !== undefined) return fitting;
    process.stderr.write(`"${answer}" is not one of the choices.\n`);
    return choose(question, choices, suggestion);
  };
  const askFile = async (question: string, suggestion: string | undefined): Promise<string | undefined> => {
    const hint =
      suggestion === undefined ? '(a path, or Enter for none)?' : `(a path, or none) [${suggestion}]`;
    const answer = (await lines.question(`${question} ${hint} `)).trim();
    if (answer === '') return suggestion;
    if (answer === 'none' || isFile(answer)) return answer === 'none' ? undefined : answer;
    process.stderr.write(`The file ${answer} does not exist.\n`);
    return askFile(question, suggestion);
  };
  try {
    const kinds = ['decomposition', 'workflow', 'sessions'];
    const measured =
      given.measure ?? (await choose('What do you want to measure?', kinds, suggested.measured));
    const [wantsCase, wantsTruth] = [
      measured === 'decomposition' && found.golden === 0,
      measured === 'workflow' && found.truths.length === 0,
    ];
    const text = given.text ?? (wantsCase ? await askFile(TEXT, found.text) : undefined);
    const review = given.review ?? (wantsTruth ? await askFile(REVIEW, found.review) : undefined);
    const ci =
      given.ci ??
      (measured === 'sessions'
        ? 'none'
        : await choose('A CI step?', ['github', 'gitlab', 'none'], suggested.ci));
    return {
      measured,
      ci,
      text,
      review,
    } as Answers;
  } finally {
    lines.close();
  }
}

/** Agents of this machine that have left transcripts, e.g. `Claude Code (12)`; undefined where none has. */
function transcriptsHere(terminal: Terminal): string | undefined {
  const here = listSources(machineOf(terminal)).formats.filter(({ files }) => files > 0);
  return here.length === 0 ? undefined : here.map(({ title, files }) => `${title} (${files})`).join(', ');
}
