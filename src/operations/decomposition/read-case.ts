import { resolve } from 'node:path';
import type { Vocabulary } from '../../decomposition/golden-rules.ts';
import { readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import type { CaseText, ReadCase } from '../../decomposition/suite-run.ts';
import { AssayError } from '../../errors.ts';
import { isInside } from '../../files.ts';
import { didYouMean } from '../../suggest.ts';
import { examplePlace } from '../measure-examples.ts';
import type { Ports } from '../ports.ts';
import { readRun } from '../read-run.ts';

export type ReadCaseRequest = {
  readonly runId: string;
  readonly caseId: string;
  /**
   * The folder with the golden cases, if the caller may read it. Nothing outside it is read except the examples of the
   * package.
   */
  readonly folder: string | undefined;
  readonly vocabulary?: Vocabulary;
};

/** One case of a stored run: its found, missed and invented concepts, and its text. */
export async function readCase(request: ReadCaseRequest, ports: Ports): Promise<ReadCase> {
  const { verdict, suite } = await readRun({ id: request.runId }, ports);
  const judged = verdict.cases.find(({ id }) => id === request.caseId);
  if (verdict.instrument !== 'decomposition' || judged === undefined) {
    const known = verdict.cases.map(({ id }) => id);
    throw new AssayError(
      'CASE_NOT_FOUND',
      `run ${verdict.validity.runId} has no case "${request.caseId}"${didYouMean(request.caseId, known)}`,
    );
  }
  return {
    validity: verdict.validity,
    subject: verdict.subject,
    names: suite?.facts,
    judged,
    evidence: suite?.evidence?.get(request.caseId),
    text: textOf(request, suite?.reading?.golden ?? 'golden', verdict.validity.truthHash),
  };
}

function textOf(
  { caseId, folder, vocabulary }: ReadCaseRequest,
  named: string,
  truthHash: string | undefined,
): CaseText {
  if (folder === undefined) return absent('the golden cases lie in a folder of another project');
  const path = resolve(folder, named);
  if (![folder, examplePlace('decomposition')].some((place) => isInside(place, path)))
    return absent(`the golden cases of this run lie outside the folder: ${named}`);
  try {
    const { cases, hash } = readGoldenSet(path, vocabulary);
    const golden = cases.find(({ id }) => id === caseId);
    if (golden === undefined) return absent(`${named} has no case ${caseId} any more`);
    const { topic, domain, sourceText: text, citation } = golden;
    return {
      state: 'here',
      topic,
      domain,
      text,
      citation,
      asMeasured: hash === truthHash,
    };
  } catch (cause) {
    if (!(cause instanceof AssayError)) throw cause;
    return absent(cause.message);
  }
}

function absent(why: string): CaseText {
  return { state: 'absent', why };
}
