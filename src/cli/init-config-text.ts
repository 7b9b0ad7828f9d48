/** The configuration that `init` writes: for people, who will change it. An editor completes it where it finds the schema. */
export function configText(schema: string | undefined): string {
  const editors =
    schema === undefined
      ? '# `assay schema configuration` prints a schema with which an editor completes this file.'
      : `# yaml-language-server: $schema=${schema}`;
  return `${editors}\n${SETTINGS}`;
}

const SETTINGS = `# Change the defaults of Assay here. \`assay config\` shows every setting and where it comes from.
# To change a setting, uncomment it together with the names above it.

# decomposition:
  # The gate uses the documented lines unless you set your own; every report names those you set.
  # gate:
    # lines: { concept_recall: { fail: 0.7, target: 0.8 }, hallucination_rate: 0.02 }
    # leaveOut: [provenance_coverage] # outputs without quotes
    # minCases: 5
  # The documented overall score of a perfect run is 0.85; 'attainable' reaches 1.
  # overallScale: attainable
  # What lint asks of golden cases; these are the documented numbers.
  # golden: { domains: [technical, legal], predicates: [IS_A, CAUSES, RELATES_TO], minCases: 5, concepts: [15, 25] }
  # What the predicates of your extractor mean.
  # predicateMap: { leads to: CAUSES }
  # Where concepts and relationships are in outputs of another shape.
  # map: { concepts: 'entities[].name', relationships: 'relations[].head/tail/type' }

# workflow:
  # The least that a review has to reach; below it the gate blocks.
  # minimums: { dr: 60, precision: 0.7 }
  # The weight of each part of overall effectiveness (OES); they sum to 1.
  # weights: { wds: 0.4, precision: 0.25, dq: 0.2, te: 0.15 }
  # categories: [SCOPE, SECURE, PERF]

# session:
  # Sessions with a lower Q are flagged.
  # flagBelow: 0.4
  # The weight of each category in Q; they sum to 1.
  # weights: { coding: { completion: 0.15, execution: 0.2, efficiency: 0.15, outcome: 0.5 } }
`;
