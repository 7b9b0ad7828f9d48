import { z } from 'zod';
import { AssayError } from '../../../../errors.ts';
import { answerJson, unusableAnswer } from '../../../../model/answer-json.ts';
import { PREDICATES } from '../../../predicates.ts';
import { type ExtractionOutput, parseOutput } from '../../output.ts';

/**
 * What the model is asked to answer with. Every field is required and nothing is bounded, because that is the part of
 * JSON Schema that all providers enforce; the bounds are checked when the answer is read.
 */
export const answerSchemaWith = (predicates: readonly string[] = PREDICATES) =>
  z.object({
    concepts: z.array(
      z.object({
        label: z.string().describe('The name of the concept as the text writes it'),
        aliases: z.array(z.string()).describe('Other names that the text itself uses for it'),
        sourceQuote: z.string().describe('A passage copied word for word from the text'),
        confidence: z.number().describe('From 0 to 1'),
      }),
    ),
    relationships: z.array(
      z.object({
        source: z.string().describe('The label of a concept of this answer'),
        target: z.string().describe('The label of another concept of this answer'),
        predicate: z.enum(predicates),
        sourceQuote: z.string().describe('The passage that states it, copied word for word from the text'),
        confidence: z.number().describe('From 0 to 1'),
      }),
    ),
  });

export const answerSchema = answerSchemaWith();

/**
 * Reads an answer as it is. Its wrapping may come off, but nothing in it is repaired: a concept or relationship that the
 * model could not say properly stays as a wrong one.
 */
export function readAnswer(
  text: string,
  finishReason: string,
  from: string,
): Pick<ExtractionOutput, 'concepts' | 'relationships'> {
  const value = answerJson(text, finishReason, from);
  try {
    const { concepts, relationships } = parseOutput(value, from);
    return { concepts, relationships };
  } catch (cause) {
    throw cause instanceof AssayError ? unusableAnswer(cause.message, cause) : cause;
  }
}
