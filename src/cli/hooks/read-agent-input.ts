/** What an agent says on standard input: a short JSON, or nothing. */
const MOST_BYTES = 1024 * 1024;
const MOST_MS = 2000;

export async function readAgentInput(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return '';
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => stdin.destroy(), MOST_MS);
  try {
    for await (const chunk of stdin) {
      chunks.push(Buffer.from(chunk));
      length += chunk.length;
      if (length > MOST_BYTES) break;
    }
  } catch {
    // It never ended.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
