/** Characters that are given at once. */
const AT_ONCE = 1 << 16;

/** Many short texts as fewer long ones: whoever takes them does something for each. */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < AT_ONCE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
