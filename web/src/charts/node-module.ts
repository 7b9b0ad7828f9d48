/** Stands for `node:module` in the browser, where the report's code asks it for the width of unusual letters. */
const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/u;
const MARK = /\p{Mark}/u;

function columns(text: string): number {
  let width = 0;
  for (const letter of text) width += MARK.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
  return width;
}

export function createRequire(): () => { default: (text: string) => number } {
  return () => ({ default: columns });
}
