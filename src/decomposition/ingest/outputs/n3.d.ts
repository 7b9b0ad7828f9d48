/** As much of it as is used; the package has no types of its own. */
declare module 'n3' {
  type Term = { readonly value: string; readonly termType: string };
  export class Parser {
    parse(text: string): { readonly subject: Term; readonly predicate: Term; readonly object: Term }[];
  }
}
