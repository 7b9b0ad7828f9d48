/** A name of a file as the name of a case: lower-case words joined by hyphens. */
export function draftCaseName(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-$/, '');
  return words === '' ? 'first-case' : words;
}
