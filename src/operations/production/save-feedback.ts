import { requestKey } from '../../decomposition/production/record.ts';
import { AssayError } from '../../errors.ts';
import { maskText } from '../../secrets.ts';
import type { Feedback, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { findRequest } from './find-request.ts';

export type SaveFeedbackRequest = Pick<
  Feedback,
  'outputId' | 'runId' | 'item' | 'thumb' | 'score' | 'comment'
> & {
  /** Sent again under the same id it changes nothing. */
  readonly id?: string | undefined;
  readonly at?: string | undefined;
  readonly author: string;
  /** In which the output was made, where nothing else says so. */
  readonly project?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export async function saveFeedback(request: SaveFeedbackRequest, ports: Ports): Promise<Feedback> {
  const { id, outputId, runId, item, thumb, score, comment, author, at, environment } = request;
  const store = await ports.store();
  const about =
    runId === undefined
      ? await findRequest(store, outputId, request.project)
      : await caseOfRun(store, runId, outputId);
  const feedback: Feedback = {
    feedbackId: id ?? ports.newId(),
    instrument: 'decomposition',
    outputId: about?.id ?? requestKey(request.project, outputId),
    item,
    runId,
    thumb,
    score,
    ...(comment !== undefined && { comment: maskText(comment, environment) }),
    author,
    at: at ?? ports.now().toISOString(),
    ...(about?.project !== undefined && { project: about.project }),
  };
  await store.appendFeedback([feedback]);
  return feedback;
}

/** A request may come after what is said of it; a run does not. */
async function caseOfRun(store: Store, runId: string, caseId: string) {
  const run = await store.readRun(runId);
  if (run === undefined || !run.cases.some((one) => one.caseId === caseId))
    throw new AssayError('RUN_NOT_FOUND', `there is no stored run "${runId}" with a case "${caseId}"`);
  return { id: caseId, project: run.project };
}
