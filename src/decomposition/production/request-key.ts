/**
 * Under which id a request of production is kept. Senders choose ids for themselves, so that two projects may choose the
 * same: in a project it is `project:id`. No project has a colon in it as it is written here, so no two are the same.
 */
export function requestKey(project: string | undefined, id: string): string {
  return project === undefined ? id : `${encodeURIComponent(project.toWellFormed())}:${id}`;
}
