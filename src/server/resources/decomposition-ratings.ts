import { z } from 'zod';
import {
  decompositionOpinion,
  decompositionQueue,
  decompositionRated,
  feedbackSaved,
  sentFeedback,
} from '../../api/schema/decomposition-rating.ts';
import { rateDecomposition, ratingQueue } from '../../operations/production/rate-decomposition.ts';
import { saveFeedback } from '../../operations/production/save-feedback.ts';
import { usualProject } from '../record-received.ts';
import { jsonRoute } from '../route.ts';

export const DECOMPOSITION_RATINGS = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/decompositions/queue',
    summary: 'Sampled production requests to rate, in rating order',
    scope: 'read',
    query: z.strictObject({
      days: z.coerce.number().positive().max(3660).default(7).describe('Only requests of the last N days'),
      limit: z.coerce.number().int().min(1).max(200).default(20),
      id: z.string().min(1).max(600).optional().describe('Only this request, rated or not'),
    }),
    answer: decompositionQueue,
    handle: async ({ query }, services) => {
      const { map } = services.config.decomposition;
      const author = services.project.identity();
      const asked = { ...query, author, project: usualProject(services), map };
      return ratingQueue(asked, services.project);
    },
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/decompositions/{id}/ratings',
    summary: 'Rates a production request as a whole and concept by concept',
    scope: 'write',
    body: decompositionOpinion,
    answer: decompositionRated,
    status: 201,
    handle: async ({ params: { id }, body }, services) => {
      const { project, events, machine } = services;
      const said = { ...body, author: body.author ?? project.identity(), environment: machine.environment };
      const ratings = await rateDecomposition({ ...said, id, project: usualProject(services) }, project);
      events.publish('rating.saved', { decomposition: id }, ratings[0]?.project);
      return { id, ratings: ratings.length };
    },
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/feedback',
    summary: 'Stores user feedback on a production output: a thumb, stars or a comment',
    scope: 'write',
    audit: { isMany: true },
    body: sentFeedback,
    answer: feedbackSaved,
    status: 201,
    handle: async ({ body: { output_id: outputId, run_id: runId, concept, ...body } }, services) => {
      const { project, events, machine } = services;
      const { feedbackId, project: whose } = await saveFeedback(
        {
          ...body,
          at: body.at === undefined ? undefined : new Date(body.at).toISOString(),
          outputId,
          runId,
          item: concept,
          project: usualProject(services),
          environment: machine.environment,
        },
        project,
      );
      events.publish('rating.saved', { decomposition: outputId }, whose ?? services.writesTo);
      return { id: feedbackId };
    },
  }),
];
