/** Folder → what it is called on a screen: the last part of its path, and as many before it as tell it from the others. */
export function projectNames(of: readonly { readonly project?: string | undefined }[]): Map<string, string> {
  const names = new Map<string, string>();
  let open = [...new Set(of.flatMap(({ project }) => project ?? []))].map((project) => ({
    project,
    parts: project.split(/[/\\]+/).filter((part) => part !== ''),
  }));
  for (let length = 1; open.length > 0; length += 1) {
    const alike = Map.groupBy(open, ({ parts, project }) => parts.slice(-length).join('/') || project);
    for (const [name, [one, ...others]] of alike)
      if (one !== undefined && others.length === 0) names.set(one.project, name);
    // Two spellings of one path stay alike.
    for (const { project, parts } of open)
      if (!names.has(project) && parts.length <= length) names.set(project, project);
    open = open.filter(({ project }) => !names.has(project));
  }
  return names;
}
