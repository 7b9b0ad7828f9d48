/** As no project is written here. */
const OF_NONE = '@';

/**
 * Under which id a request of production is kept. Senders choose ids for themselves, so that two projects may choose the
 * same: in a project it is `project:id`. Of no project it is the id; one with a colon, which might be that of a project,
 * is `@:id`. No project has a colon or an @ in it as it is written here, so no two are the same.
 */
export function requestKey(project: string | undefined, id: string): string {
  return project === undefined && !id.includes(':') ? id : `${keyPrefix(project)}${id}`;
}

/** What keys begin with that are not the id alone. */
export function keyPrefix(project: string | undefined): string {
  return `${project === undefined ? OF_NONE : encodeURIComponent(project.toWellFormed())}:`;
}
