/** Whether two labels differ only in how they are spelt. */
export function isSameWord(one: string, other: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return plain(one) === plain(other);
}
