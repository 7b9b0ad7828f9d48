/** Which group an item belongs to, such as the document it came from. */
export type Cluster = string | number;

/**
 * The places of the items of each cluster, clusters in order of first appearance. Without clusters each item is
 * a cluster of its own.
 *
 * Worked value: `groupByCluster(3, ['a', 'b', 'a'])` is [[0, 2], [1]]. Cost: O(n).
 */
export function groupByCluster(n: number, clusters: readonly Cluster[] | undefined): number[][] {
  if (clusters === undefined) return Array.from({ length: n }, (_, place) => [place]);
  if (clusters.length !== n) {
    throw new RangeError(`clusters must name one cluster per unit: ${n} units, ${clusters.length} clusters`);
  }
  const groups = new Map<Cluster, number[]>();
  for (const [place, cluster] of clusters.entries()) {
    const group = groups.get(cluster);
    if (group) group.push(place);
    else groups.set(cluster, [place]);
  }
  return [...groups.values()];
}
