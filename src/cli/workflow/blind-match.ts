import type { Row, TableBlock } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import { readAnswers } from '../../workflow/blind/answers.ts';
import { askMatching, type Dialogue } from '../../workflow/blind/dialogue.ts';
import { type BlindSession, readSession } from '../../workflow/blind/folder.ts';
import { shownCandidates, shownFinding, shownStatement } from '../../workflow/blind/material.ts';
import {
  checkMaySeeCriteria,
  currentAssessment,
  evaluatorOf,
  missingFor,
  type Scope,
  scopeFor,
} from '../../workflow/blind/protocol.ts';
import { type Submitted, submit } from '../../workflow/blind/steps.ts';
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
  name: 'workflow blind match',
  summary: 'Step 3 of a blind evaluation: match findings to known errors by objective criteria, with reasons',
  positionals: FOLDER,
  options: {
    ...STEP_OPTIONS,
    'every-finding': {
      type: 'boolean',
      doc: 'As third evaluator, label every finding and not only the disputed ones',
    },
  },
  examples: [
    'assay workflow blind match blind --by ada',
    'assay workflow blind match blind --by ada --list --format json',
    'assay workflow blind match blind --by ada --file matches.json',
  ],
  run: async (args, terminal) => {
    const folder = folderOf(args);
    const who = whoOf(args, terminal);
    const { file } = args.values;
    const next = `assay workflow blind status ${shellWord(folder)}`;
    const answers = typeof file === 'string' ? readAnswers('match', file) : undefined;
    const session = readSession(folder);
    checkMaySeeCriteria(session.state, who);
    const scope = scopeFor(session.state, who, args.values['every-finding'] === true);
    if (answers !== undefined) {
      terminal.print(saySubmitted(submit(folder, who, 'match', answers, scope), 'step 3', next));
      return 0;
    }
    if (isDialogue(args)) {
      const result = await withDialogue(terminal, (talk) => matchAll(session, who, scope, talk));
      terminal.print(result === undefined ? '' : saySubmitted(result, 'step 3', next));
      return 0;
    }
    const open = missingFor(session.state, evaluatorOf(session.state, who), 'match', scope);
    const table = candidatesTable(session, open);
    await printDocument(args, terminal, asJson(session, who, scope, open), () => ({
      title: 'Step 3: which error does each finding match?',
      answer:
        scope === 'disputes'
          ? `${formatAmount(open.length, 'disputed finding')} to label as a third opinion; all labels are kept.`
          : `${formatAmount(open.length, 'finding')} to match by objective criteria: place, quote, lines.`,
      blocks: [table],
      notes: [
        'Y full match, P partial match (both name the error), BONUS_VALID, FALSE, DUPLICATE, or UNRESOLVED when you cannot tell; each with a reason.',
      ],
      next: [`assay workflow blind match ${shellWord(folder)} --by ${shellWord(who)} --file matches.json`],
    }));
    return 0;
  },
};

async function matchAll(
  session: BlindSession,
  who: string,
  scope: Scope,
  talk: Dialogue,
): Promise<Submitted | undefined> {
  const { folder, material, state } = session;
  const open = missingFor(state, evaluatorOf(state, who), 'match', scope);
  let result = open.length === 0 ? submit(folder, who, 'match', [], scope) : undefined;
  for (const [index, id] of open.entries()) {
    talk.say(
      `\n${index + 1} of ${open.length}\n${sayFinding(material, id)}\n${sayCandidates(session, id)}\n`,
    );
    const answer = await askMatching(talk, id, state.subjects.errors);
    if (answer === undefined) break;
    result = submit(folder, who, 'match', [answer], scope);
  }
  return result;
}

function sayCandidates({ material }: BlindSession, finding: string): string {
  const candidates = shownCandidates(material, finding);
  if (candidates.length === 0) return '  No objective criterion connects it with a known error.';
  return candidates
    .flatMap(({ error, strength, criteria, description = '', locations = [], quote }) => [
      `  ${plain(error)} ${strength === 'Y' ? 'full' : 'partial'} by ${criteria.join(', ')}: ${plain(description)}`,
      ...locations.map((place) => `    at ${plain(placeOf(place))}`),
      ...(quote === undefined ? [] : [`    quote: ${plain(quote)}`]),
    ])
    .join('\n');
}

/** For scripts: everything step 3 shows, with the evaluator's own blind assessment beside it. */
function asJson({ material, state }: BlindSession, who: string, scope: Scope, open: readonly string[]) {
  const wanted = new Set(open);
  const evaluator = evaluatorOf(state, who);
  return {
    scope,
    findings: material.findings
      .filter(({ id }) => wanted.has(id))
      .map((one) => ({
        ...shownFinding(one),
        assessment: currentAssessment(evaluator, one.id),
        candidates: shownCandidates(material, one.id),
      })),
    errors: material.truth.errors.map(shownStatement),
  };
}

/** One row per candidate, and one for a finding that has none. */
function candidatesTable({ material }: BlindSession, open: readonly string[]): TableBlock {
  const titles = new Map(material.findings.map(({ id, finding }) => [id, finding.title]));
  return {
    kind: 'table',
    title: 'Candidates',
    limit: 10,
    columns: [
      { key: 'finding', header: 'finding', style: 'name' },
      { key: 'title', header: 'says', style: 'text' },
      { key: 'error', header: 'error', style: 'name' },
      { key: 'strength', header: 'match', style: 'text' },
      { key: 'criteria', header: 'criteria', style: 'text' },
      { key: 'description', header: 'statement', style: 'text' },
    ],
    rows: open.flatMap((finding): Row[] => {
      const title = titles.get(finding);
      const candidates = shownCandidates(material, finding);
      if (candidates.length === 0)
        return [{ finding, title, error: undefined, strength: undefined, criteria: 'none' }];
      return candidates.map(({ error, strength, criteria, description }) => ({
        finding,
        title,
        error,
        strength,
        criteria: criteria.join(', '),
        description,
      }));
    }),
  };
}
