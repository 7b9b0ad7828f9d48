import type { TableBlock } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import { readAnswers } from '../../workflow/blind/answers.ts';
import { askAssessment, type Dialogue } from '../../workflow/blind/dialogue.ts';
import { type BlindSession, readSession } from '../../workflow/blind/folder.ts';
import { shownFinding } from '../../workflow/blind/material.ts';
import { evaluatorOf, missingFor } from '../../workflow/blind/protocol.ts';
import { reviseAssessments, type Submitted, submit } from '../../workflow/blind/steps.ts';
import type { Command } from '../command.ts';
import { printDocument } from '../print-report.ts';
import {
  FOLDER,
  folderOf,
  isDialogue,
  placeOf,
  STEP_OPTIONS,
  sayFinding,
  saySubmitted,
  whoOf,
  withDialogue,
} from './blind-options.ts';
import { shellWord } from './shell-word.ts';

export const command: Command = {
  name: 'workflow blind assess',
  summary: 'Step 1 of a blind evaluation: say what each finding is, before seeing the ground truth',
  positionals: FOLDER,
  options: {
    ...STEP_OPTIONS,
    revise: { type: 'boolean', doc: 'Change sealed assessments; recorded as a sign of bias' },
  },
  examples: [
    'assay workflow blind assess blind --by ada',
    'assay workflow blind assess blind --list --format json',
    'assay workflow blind assess blind --by ada --file assessments.json',
  ],
  run: async (args, terminal) => {
    const folder = folderOf(args);
    const { file, revise } = args.values;
    const nextFor = (who: string) =>
      `assay workflow blind predict ${shellWord(folder)} --by ${shellWord(who)}`;
    if (typeof file === 'string') {
      const who = whoOf(args, terminal);
      const answers = readAnswers('assess', file);
      const said =
        revise === true
          ? `${formatAmount(reviseAssessments(folder, who, answers), 'changed assessment')} recorded; assay workflow blind check shows them.\n`
          : saySubmitted(submit(folder, who, 'assess', answers), 'step 1', nextFor(who));
      terminal.print(said);
      return 0;
    }
    const session = readSession(folder);
    if (isDialogue(args)) {
      const who = whoOf(args, terminal);
      const result = await withDialogue(terminal, (talk) => assessAll(session, who, talk));
      terminal.print(result === undefined ? '' : saySubmitted(result, 'step 1', nextFor(who)));
      return 0;
    }
    const table = findingsTable(session);
    await printDocument(args, terminal, { findings: session.material.findings.map(shownFinding) }, () => ({
      title: 'Step 1: what does each finding say?',
      answer: `${formatAmount(table.rows.length, 'finding')} to assess. The ground truth stays sealed until you have answered all.`,
      blocks: [table],
      notes: [
        'For each: ERROR, NO_ERROR or CANNOT_TELL; what error it represents, the evidence, and HIGH, MEDIUM or LOW.',
      ],
      next: [`assay workflow blind assess ${shellWord(folder)} --by NAME --file assessments.json`],
    }));
    return 0;
  },
};

async function assessAll(session: BlindSession, who: string, talk: Dialogue): Promise<Submitted | undefined> {
  const { folder, material, state } = session;
  const open = missingFor(state, evaluatorOf(state, who), 'assess', 'all');
  // Nothing open: the rules say whether it can be sealed or was before.
  let result = open.length === 0 ? submit(folder, who, 'assess', []) : undefined;
  for (const [index, id] of open.entries()) {
    talk.say(`\n${index + 1} of ${open.length}\n${sayFinding(material, id)}\n`);
    const answer = await askAssessment(talk, id);
    if (answer === undefined) break;
    result = submit(folder, who, 'assess', [answer]);
  }
  return result;
}

function findingsTable({ material }: BlindSession): TableBlock {
  return {
    kind: 'table',
    title: 'Findings',
    limit: 10,
    columns: [
      { key: 'id', header: 'id', style: 'name' },
      { key: 'title', header: 'says', style: 'text' },
      { key: 'place', header: 'where', style: 'text' },
      { key: 'kind', header: 'said to be', style: 'text' },
    ],
    rows: material.findings.map((one) => {
      const { id, title, category, severity, depth } = shownFinding(one);
      const kind = [severity, category, depth].filter((word) => word !== undefined).join(', ');
      return { id, title, place: placeOf(one.finding), kind: kind || undefined };
    }),
  };
}
