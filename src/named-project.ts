/** Whether it is one of the projects that are named so. What is of no project is in none. */
export function isIn(project: string | undefined, names: readonly string[]): boolean {
  return names.some((name) => isNamedProject(project, name));
}

/** Whether a person means this project: by its folder, by the last parts of its folder, or by its name. */
export function isNamedProject(project: string | undefined, name: string): boolean {
  if (project === undefined) return false;
  const wanted = withoutSlash(name);
  return project === wanted || project.endsWith(`/${wanted}`) || project.endsWith(`\\${wanted}`);
}

/** As a person may type the name of a folder. */
export function withoutSlash(name: string): string {
  return name.replace(/(?<=[^/\\]|^[/\\])[/\\]+$/, '');
}
