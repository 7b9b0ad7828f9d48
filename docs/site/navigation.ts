/** The order of pages on the site. A page without a name here is listed by its folder. */

export type Group = {
  readonly title: string;
  /** Paths from the root of the repository, in the order in which they are read. */
  readonly pages: readonly string[];
  /** Every other page of a folder, by title. */
  readonly folder?: string;
};

const docs = (...names: readonly string[]) => names.map((name) => `docs/${name}.md`);

export const GROUPS: readonly Group[] = [
  { title: 'Start', pages: ['README.md', ...docs('concepts', 'coming-from', 'comparison')] },
  {
    title: 'Tutorials',
    pages: docs(
      'tutorials/sessions',
      'tutorials/decomposition',
      'tutorials/workflow',
      'tutorials/ci',
      'tutorials/live',
      'tutorials/calibration',
      'tutorials/routing',
    ),
  },
  {
    title: 'Sessions',
    pages: docs(
      'session',
      'session-outcomes',
      'session-calibration',
      'session-trust',
      'session-signals',
      'live',
      'alerts',
      'routing',
    ),
  },
  {
    title: 'Extraction evals',
    pages: docs('decomposition', 'own-outputs', 'production', 'production-briefs', 'production-experiments'),
  },
  { title: 'Review evals', pages: docs('workflow', 'workflow-blind') },
  {
    title: 'Use it',
    pages: docs('dashboard', 'ci', 'editors', 'mcp', 'library', 'export', 'sql'),
  },
  { title: 'Run it', pages: docs('server', 'deployment', 'store', 'security') },
  { title: 'Reference', pages: docs('commands', 'configuration', 'errors') },
  { title: 'Formats', pages: docs('formats/README'), folder: 'docs/formats' },
  { title: 'Metrics', pages: docs('metrics/README'), folder: 'docs/metrics' },
  { title: 'Contributing', pages: [], folder: 'docs/contributing' },
  {
    title: 'Project',
    pages: [...docs('architecture', 'conformance'), 'bench/README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  },
  // What is written and has no place yet can be found all the same.
  { title: 'More', pages: [], folder: 'docs' },
];

type Titled = { readonly path: string; readonly title: string };

/** The existing pages, group by group. A page without a group is an error: nobody would find it. */
export function arrange<T extends Titled>(pages: readonly T[]): { title: string; pages: T[] }[] {
  const left = new Map(pages.map((page) => [page.path, page]));
  const take = (path: string): T[] => {
    const page = left.get(path);
    if (page === undefined) throw new Error(`docs/site/navigation.ts names ${path}, which is not there`);
    left.delete(path);
    return [page];
  };
  const named = GROUPS.map(({ title, folder, pages: paths }) => ({
    title,
    folder,
    pages: paths.flatMap(take),
  }));
  const groups = named.map(({ title, folder, pages: first }) => {
    const more = [...left.values()]
      .filter(({ path }) => folder !== undefined && path.startsWith(`${folder}/`))
      .toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
    return { title, pages: [...first, ...more.flatMap(({ path }) => take(path))] };
  });
  if (left.size > 0)
    throw new Error(`no group of docs/site/navigation.ts has ${[...left.keys()].join(', ')}`);
  return groups.filter((group) => group.pages.length > 0);
}
