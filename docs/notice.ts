/** Stands above every page that is made. */
export const NOTICE = '<!-- Made by `npm run docs` from the source; edit the source. -->';
