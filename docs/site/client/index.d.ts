/** The index of all pages, put in when the site is built. */
declare module 'virtual:index' {
  export const index: string;
}
