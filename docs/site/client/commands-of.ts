/** What is typed in a block of a terminal: the lines after `$ `, with their here-documents; all of a block that shows none. */
export function commandsOf(block: string): string {
  const lines = block.split('\n');
  if (!lines.some((line) => line.startsWith('$ '))) return block;
  const typed: string[] = [];
  let end: string | undefined;
  for (const line of lines) {
    if (line.startsWith('$ ')) {
      typed.push(line.slice(2));
      end = /<<'?(\w+)'?/.exec(line)?.[1];
    } else if (end !== undefined) {
      typed.push(line);
      if (line === end) end = undefined;
    }
  }
  return typed.join('\n');
}
