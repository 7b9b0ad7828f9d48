import type { Given } from '../../report/action.ts';
import type { Block } from '../../report/document.ts';
import { renderMarkdown } from '../../report/markdown.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { Investigated, Investigation } from '../investigate/investigation.ts';
import {
  failingText,
  investigationDocument,
  investigationNotes,
  sectionsOf,
  titleOf,
} from './investigation-document.ts';
import { planCommands } from './verification-plan.ts';

/** The template of section 6.6, once for each case. */
export function investigationMarkdown(investigated: Investigated, given: Given): string {
  const { cases, errored, clean } = investigated;
  if (cases.length === 0) return renderMarkdown(investigationDocument(investigated, given, 'page'));
  const left = [
    ...errored.map(({ id, error }) => `${id} could not be examined: ${error}`),
    ...(clean.length > 0 ? [`Nothing wrong: ${clean.join(', ')}.`] : []),
    ...investigationNotes(investigated),
  ];
  const tail =
    left.length === 0 ? [] : [section('Notes', [{ kind: 'list', title: 'Beside these cases', items: left }])];
  return `${[...cases.map((one) => template(one, investigated, given)), ...tail].join('\n')}`;
}

function template(one: Investigation, { date, source }: Investigated, given: Given): string {
  const { symptoms, rootCause, proposedFix } = sectionsOf(one, 'page');
  const points = (title: string, items: readonly string[]): Block => ({ kind: 'list', title, items });
  return [
    `## ${titleOf(one)}`,
    // Two blanks end a line; without them the three would become one.
    [
      `**Date**: ${date}`,
      `**Prompt Version**: ${one.promptVersion}`,
      `**Failing Metric(s)**: ${failingText(one)}`,
    ].join('  \n'),
    section('Symptoms', [points('What failed', one.conclusions.symptoms), ...symptoms]),
    section('Root Cause', [points('Why', one.conclusions.rootCause), ...rootCause]),
    section('Proposed Fix', [points('What to change', proposedFix)]),
    `### Verification Plan\n\n${planCode(planCommands(one, source, given))}`,
    '',
  ].join('\n\n');
}

/** A section as the report writes a document, one heading deeper. */
function section(title: string, blocks: readonly Block[]): string {
  const [, ...rest] = renderMarkdown({ title, answer: '', blocks, notes: [], next: [] }).split('\n');
  return `### ${title}\n\n${rest.join('\n').trim()}`;
}

/** To be copied as it stands. No line of it can end the fence: each begins with a number sign or a command. */
function planCode(plan: ReturnType<typeof planCommands>): string {
  const lines = plan.flatMap(({ what, command }, i) => [`# ${i + 1}. ${plain(what)}`, plain(command)]);
  return `\`\`\`bash\n${lines.join('\n')}\n\`\`\``;
}
