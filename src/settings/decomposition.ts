/** How extractions are measured and gated. */
import { z } from 'zod';
import { DEFAULT_MATCH_LEVEL, MATCH_LEVELS } from '../decomposition/evidence.ts';
import { GOLDEN_RULES } from '../decomposition/golden-rules.ts';
import { MIN_CASES, OVERALL_WEIGHTS } from '../decomposition/weights.ts';
import { sumOfWeights, wordsSetting } from './fields.ts';

const weight = (value: number, what: string) => z.number().min(0).max(1).default(value).describe(what);

const count = z.int().min(0).max(1_000_000);

const range = (value: readonly [number, number], what: string) =>
  z
    .tuple([count, count])
    .refine(([least, most]) => least <= most, 'the first number is the least, the second the most')
    .default([...value])
    .describe(what);

/** The line of a metric between 0 and 1. */
const line = z.number().min(-1).max(1);

export const decompositionSettings = z
  .strictObject({
    extractor: z
      .enum(['local', 'llm', 'command', 'recorded'])
      .optional()
      .describe(
        'What `assay decomposition run` measures: the built-in extractor, a model, a program, or recorded outputs. By default `llm` where a prompt is named and `local` where none is. Also --extractor.',
      ),
    prompt: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2)])
      .optional()
      .describe(
        'The prompt to measure, e.g. `decompose-concepts` for its newest version or `decompose-concepts-v1.1`; two for a model that is asked in two steps. Also --prompt.',
      ),
    command: z
      .string()
      .min(1)
      .optional()
      .describe('The program of the extractor `command`, e.g. `python extract.py`. Also --command.'),
    outputs: z
      .string()
      .min(1)
      .optional()
      .describe('The recorded outputs of the extractor `recorded`, from this file on. Also --outputs.'),
    model: z
      .string()
      .min(1)
      .default('none')
      .describe(
        'The model that `assay decomposition run --prompt` asks, e.g. `openai/gpt-5-mini`. Also --model.',
      ),
    matchLevel: z
      .enum(MATCH_LEVELS)
      .default(DEFAULT_MATCH_LEVEL)
      .describe(
        'The loosest way of recognising a concept that counts, from strict to loose; `semantic` needs the offline model.',
      ),
    predicateMap: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe(
        'Predicates of an extractor of your own and what they mean, e.g. `{ "leads to": "CAUSES" }`; other unknown ones are wrong.',
      ),
    map: z
      .strictObject({
        id: z.string().min(1).optional(),
        output: z.string().min(1).optional(),
        concepts: z.string().min(1).optional(),
        quote: z.string().min(1).optional(),
        relationships: z.string().min(1).optional(),
        relationshipQuote: z.string().min(1).optional(),
        provider: z.string().min(1).optional(),
        prompt: z.string().min(1).optional(),
      })
      .meta({ settings: 'one' })
      .default({})
      .describe(
        'How recorded outputs of another shape are read, e.g. `{ concepts: "entities[].name", relationships: "relations[].head/tail/type" }`. Also --map.',
      ),
    overallScale: z
      .enum(['documented', 'attainable'])
      .default('documented')
      .describe(
        'Which overall score the gate uses: `documented` reaches 0.85 at most, `attainable` adds the penalty weight and reaches 1.',
      ),
    golden: z
      .strictObject({
        domains: wordsSetting(
          GOLDEN_RULES.domains,
          'The domains that golden cases may have, and of which each asks for one.',
        ),
        predicates: wordsSetting(
          GOLDEN_RULES.predicates,
          'The predicates of golden cases and outputs. All of them have a direction, except RELATES_TO.',
        ),
        minCases: z.int().min(1).default(GOLDEN_RULES.minCases).describe('Golden cases that lint asks for.'),
        concepts: range(GOLDEN_RULES.concepts, 'Expected concepts of a golden case, at least and at most.'),
        withAliases: z
          .int()
          .min(0)
          .default(GOLDEN_RULES.withAliases)
          .describe('Concepts of a case with aliases, at least.'),
        relationships: range(GOLDEN_RULES.relationships, 'Expected relationships of a golden case.'),
        canaries: range(GOLDEN_RULES.canaries, 'Forbidden concepts of a golden case.'),
        forbiddenRelationships: range(
          GOLDEN_RULES.forbiddenRelationships,
          'Forbidden relationships of a golden case.',
        ),
        words: range(GOLDEN_RULES.words, 'Words of the text of a golden case.'),
        paragraphs: range(GOLDEN_RULES.paragraphs, 'Paragraphs of the text of a golden case.'),
      })
      .prefault({}),
    gate: z
      .strictObject({
        lines: z
          .record(
            z.string(),
            z.union([
              line,
              z.strictObject({ fail: line.optional(), target: line.optional(), excellent: line.optional() }),
            ]),
          )
          .default({})
          .describe(
            'Your own lines by metric, e.g. `{ concept_recall: { fail: 0.7, target: 0.8 } }`, or the fail line alone. A metric with a fail line of yours is gated. Also --min and --max.',
          ),
        leaveOut: z
          .array(z.string().min(1))
          .default([])
          .describe(
            'Metrics that the gate and the overall score go without, e.g. `["provenance_coverage"]`; every report says so. Also --leave-out.',
          ),
        guards: z
          .enum(['warn', 'block'])
          .default('warn')
          .describe(
            'What relationship recall and naming quotes under 50%, verified provenance under 95%, duplicates over 10% and concepts that the text does not mention over 10% do. `block` fails a run where one of them is on the worse side of 50%; `assay init` sets it.',
          ),
        minCases: z
          .int()
          .min(1)
          .default(MIN_CASES)
          .describe('Fewer golden cases are inconclusive. Also --min-cases.'),
      })
      .prefault({}),
    caseFailures: z
      .enum(['warn', 'block'])
      .default('warn')
      .describe('What a case with a metric in the fail zone does to a run that passes as a whole.'),
    weights: z
      .strictObject({
        recall: weight(OVERALL_WEIGHTS.recall, 'Weight of concept recall in the overall score.'),
        precision: weight(OVERALL_WEIGHTS.precision, 'Weight of concept precision.'),
        relationshipAccuracy: weight(
          OVERALL_WEIGHTS.relationshipAccuracy,
          'Weight of relationship accuracy.',
        ),
        provenance: weight(OVERALL_WEIGHTS.provenance, 'Weight of provenance coverage.'),
        hallucinationPenalty: weight(
          OVERALL_WEIGHTS.hallucinationPenalty,
          'Weight subtracted for hallucinated concepts.',
        ),
      })
      .refine((weights) => Math.abs(sumOfWeights(weights) - 1) <= 1e-9, {
        error: ({ input }) =>
          `the five weights must sum to 1; these sum to ${Number(sumOfWeights(input as object).toPrecision(12))}`,
      })
      .prefault({}),
  })
  .superRefine(({ predicateMap, golden }, context) => {
    for (const [given, meant] of Object.entries(predicateMap)) {
      if (golden.predicates.includes(meant)) continue;
      const message = `"${meant}" is no predicate; it is one of ${golden.predicates.join(', ')}`;
      context.addIssue({ code: 'custom', path: ['predicateMap', given], message });
    }
  });
