import { resolve } from 'node:path';
import { encodeInit } from '../api/encode/init.ts';
import { initProject, WRITTEN_CONFIG } from '../operations/init/init-project.ts';
import { lookAround } from '../operations/init/look-around.ts';
import { schemaAddress } from '../operations/schema-address.ts';
import { CONFIG_OPTION, type Command } from './command.ts';
import { DOCUMENT_FORMAT_OPTION } from './format-options.ts';
import { defaultAnswers } from './init-answers.ts';
import { configText } from './init-config-text.ts';
import { initDocument } from './init-document.ts';
import { askAll } from './init-questions.ts';
import { ciStep } from './init-texts.ts';
import { transcriptsHere } from './init-transcripts.ts';
import { withPorts } from './open-ports.ts';
import { printResult } from './print-result.ts';
import { readSettings } from './settings.ts';
import { textOf } from './text-of.ts';

export const command: Command = {
  name: 'init',
  summary: 'Set up a project: a commented configuration, a first golden case or ground truth, a CI step',
  options: {
    yes: { type: 'boolean', doc: 'Ask nothing; take what the folder suggests' },
    measure: {
      type: 'string',
      choices: ['decomposition', 'workflow', 'sessions'],
      doc: 'What is measured (default: what the folder suggests)',
    },
    text: { type: 'string', value: 'FILE', doc: 'A text to draft the first golden case from' },
    review: {
      type: 'string',
      value: 'FILE',
      doc: 'What a review found, to draft the first ground truth from',
    },
    ci: { type: 'string', choices: ['github', 'gitlab', 'none'], doc: 'The CI step to write' },
    format: DOCUMENT_FORMAT_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay init',
    'assay init --yes --text notes/marsh.txt --ci github',
    'assay init --yes --review review.md',
  ],
  notes: [
    'Asks three questions at most, and none when it is not run in a terminal. Nothing that is there is written over.',
  ],
  run: async (args, terminal) => {
    const found = lookAround(terminal.cwd);
    const [measure, text, review, ci] = ['measure', 'text', 'review', 'ci'].map((name) => textOf(args, name));
    const transcripts = measure === undefined ? transcriptsHere(terminal) : undefined;
    const given = { measure, text, review, ci, transcripts };
    const ask = args.values.yes !== true && process.stdin.isTTY === true && process.stdout.isTTY === true;
    const answers = ask ? await askAll(found, given) : defaultAnswers(found, given);
    const { config } = await readSettings(args, terminal);
    const { measured } = answers;
    const request = {
      measured,
      config: configText(schemaAddress(resolve(terminal.cwd, WRITTEN_CONFIG), 'configuration')),
      ...ciStep(answers, found),
      folder: terminal.cwd,
      rules: config.decomposition.golden,
      categories: config.workflow.categories,
      ...(answers.text !== undefined && { text: resolve(terminal.cwd, answers.text) }),
      ...(answers.review !== undefined && { review: resolve(terminal.cwd, answers.review) }),
    };
    const result = await withPorts(args, terminal, (ports) => initProject(request, ports));
    await printResult(args, terminal, {
      document: () => initDocument(result, transcripts),
      json: () => encodeInit(result),
    });
    return 0;
  },
};
