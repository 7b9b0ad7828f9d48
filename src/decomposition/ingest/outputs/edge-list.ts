/** Edges as Cypher writes them: `(rain)-[:CAUSES]->(flood)`, `CREATE (a:Concept {name: "rain"})`, also the other way round. */
import type { ForeignGraph } from './foreign-graph.ts';

// No two parts of these can take the same characters, so that no line is slow to read.
const NODE = /\(([^(){}]*)(?:(\{[^{}]*\})\s*)?\)/;
const EDGE_TYPE = /\[[^\]:]{0,100}:\s*(`[^`\]]*`|[\w|]+(?![\w|]))[^[\]]*\]/;
const EDGE = new RegExp(`${NODE.source}\\s*(<?)-\\s*${EDGE_TYPE.source}\\s*-(>?)\\s*${NODE.source}`, 'g');
const ALONE = new RegExp(NODE.source, 'g');

/** A longer line is no edge that anybody wrote. */
const LONGEST_LINE = 4_000;

export function isEdgeList(text: string): boolean {
  return text.split('\n').some((line) => line.length <= LONGEST_LINE && new RegExp(EDGE.source).test(line));
}

export function readEdgeList(text: string): ForeignGraph {
  const lines = text.split('\n').filter((line) => line.length <= LONGEST_LINE);
  // A node that was given a name is called by its variable afterwards.
  const names = new Map<string, string>();
  const concepts = new Set<string>();
  const nameOf = (inner: string, properties: string | undefined) => {
    const variable = inner.split(':', 1)[0]?.trim() ?? '';
    const named = /(?:^|[\s{,])`?(?:name|label|id|title)`?\s*:\s*(?:"([^"]*)"|'([^']*)')/i.exec(
      properties ?? '',
    );
    const given = named?.[1] ?? named?.[2];
    if (given !== undefined && variable !== '') names.set(variable, given);
    return given ?? names.get(variable) ?? variable.replace(/^[`"']|[`"']$/g, '');
  };
  for (const line of lines) {
    for (const [, inner = '', properties] of line.matchAll(ALONE)) {
      const name = nameOf(inner, properties);
      if (name !== '') concepts.add(name);
    }
  }
  const relationships = lines.flatMap((line) => edgesIn(line, nameOf));
  return { concepts: [...concepts].map((label) => ({ label })), relationships, quotes: false };
}

/** Of a chain `(a)-[:X]->(b)-[:Y]->(c)` the end of one edge is the start of the next. */
function edgesIn(line: string, nameOf: (inner: string, properties: string | undefined) => string) {
  const edges: { source: string; target: string; predicate: string }[] = [];
  const search = new RegExp(EDGE.source, 'g');
  for (let found = search.exec(line); found !== null; found = search.exec(line)) {
    const [all, left = '', leftNode, back, type = '', , right = '', rightNode] = found;
    const [from, to] = [nameOf(left, leftNode), nameOf(right, rightNode)];
    const predicate = type.replaceAll('`', '');
    edges.push(
      back === '<' ? { source: to, target: from, predicate } : { source: from, target: to, predicate },
    );
    search.lastIndex = found.index + all.lastIndexOf('(');
  }
  return edges;
}
