/**
 * The number of characters that text searches read during `work`. A reader whose searches read its input a few times is
 * linear, on any machine.
 */
export function scanWork(work: () => void): number {
  const { indexOf } = String.prototype;
  let passed = 0;
  String.prototype.indexOf = function counted(this: string, text: string, from = 0) {
    const at = indexOf.call(this, text, from);
    passed += (at < 0 ? this.length : at + text.length) - from;
    return at;
  };
  try {
    work();
  } finally {
    String.prototype.indexOf = indexOf;
  }
  return passed;
}
