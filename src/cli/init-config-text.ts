/** The configuration that `init` writes: for people, who will change it. Its type is known where the package is installed. */
export function configText({ isTyped }: { readonly isTyped: boolean }): string {
  const hint =
    "// For completion in an editor, once assay is a dependency: satisfies import('assay').UserConfig\n";
  return `${FIRST_LINE}${isTyped ? '' : hint}${SETTINGS}${isTyped ? " satisfies import('assay').UserConfig" : ''};\n`;
}

const FIRST_LINE =
  '// What differs from the defaults; `assay config` shows every setting and where it comes from.\n';

const SETTINGS = `export default {
  decomposition: {
    // The gate. The documented lines hold unless you put yours in their place; every report says which are yours.
    gate: {
      // lines: { concept_recall: { fail: 0.7, target: 0.8 }, hallucination_rate: 0.02 },
      // leaveOut: ['provenance_coverage'], // outputs without quotes
      // minCases: 5,
    },
    // The documented overall score of a perfect run is 0.85; 'attainable' reaches 1.
    // overallScale: 'attainable',
    // What lint asks of golden cases; these are the documented numbers.
    // golden: { domains: ['technical', 'legal'], predicates: ['IS_A', 'CAUSES', 'RELATES_TO'], minCases: 5, concepts: [15, 25] },
    // What the predicates of your extractor mean:
    // predicateMap: { 'leads to': 'CAUSES' },
    // Where concepts and relationships are in outputs of another shape:
    // map: { concepts: 'entities[].name', relationships: 'relations[].head/tail/type' },
  },
  workflow: {
    // The least that a review has to reach; below it the gate blocks.
    // minimums: { dr: 60, precision: 0.7 },
    // What the parts count in overall effectiveness (OES); they sum to 1.
    // weights: { wds: 0.4, precision: 0.25, dq: 0.2, te: 0.15 },
    // categories: ['SCOPE', 'SECURE', 'PERF'],
  },
  session: {
    // Sessions with a lower Q are flagged.
    // flagBelow: 0.4,
    // What the categories count in Q; they sum to 1.
    // weights: { coding: { completion: 0.15, execution: 0.2, efficiency: 0.15, outcome: 0.5 } },
  },
}`;
