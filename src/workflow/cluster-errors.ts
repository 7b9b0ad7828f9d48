/** Which errors are alike because they stand in the same work: those of a task, and within one task those of a document. */
type Placed = { readonly task: string; readonly document?: string };

export type Clustered = { readonly clusters: readonly string[]; readonly by: 'task' | 'document' | 'error' };

export function clusterErrors(errors: readonly Placed[]): Clustered {
  const tasks = errors.map(({ task }) => task);
  if (new Set(tasks).size > 1) return { clusters: tasks, by: 'task' };
  const documents = new Set(errors.flatMap(({ document }) => document ?? []));
  // An error that names no document stands for itself, and makes no second document of the one that others name.
  if (documents.size > 1) {
    return { clusters: errors.map(({ document }, i) => JSON.stringify(document ?? i)), by: 'document' };
  }
  return { clusters: errors.map((_, i) => String(i)), by: 'error' };
}
