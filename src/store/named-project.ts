/** Whether a person means this project: by its folder, by the last parts of its folder, or by its name. */
export function isNamedProject(project: string | undefined, name: string): boolean {
  if (project === undefined) return false;
  const wanted = name.replace(/(?<=.)[/\\]+$/, '');
  return project === wanted || project.endsWith(`/${wanted}`) || project.endsWith(`\\${wanted}`);
}
