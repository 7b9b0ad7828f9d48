import { requestKey } from '../../decomposition/production/record.ts';
import { maskText } from '../../secrets.ts';
import type { Feedback } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { findRequest } from './find-request.ts';

export type SaveFeedbackRequest = Pick<Feedback, 'outputId' | 'item' | 'thumb' | 'score' | 'comment'> & {
  /** Sent again under the same id it changes nothing. */
  readonly id?: string | undefined;
  readonly at?: string | undefined;
  readonly author: string;
  /** In which the output was made, where nothing else says so. */
  readonly project?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export async function saveFeedback(request: SaveFeedbackRequest, ports: Ports): Promise<Feedback> {
  const { id, outputId, item, thumb, score, comment, author, at, environment } = request;
  const store = await ports.store();
  const about = await findRequest(store, outputId, request.project);
  const feedback: Feedback = {
    feedbackId: id ?? ports.newId(),
    instrument: 'decomposition',
    outputId: about?.id ?? requestKey(request.project, outputId),
    item,
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
