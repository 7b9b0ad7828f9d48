/**
 * A service that ends in the way its argument says: `idle`, `exit`, `signal`. Run by the tests of the monitor. Without a
 * folder it has the default one; with a word it sends three texts that begin with it.
 */
import { monitor } from '../monitor.ts';

const [way = '', url = '', spill = '', word] = process.argv.slice(2);
const decompose = monitor(async (text: string) => ({ concepts: [{ label: text }] }), {
  url,
  ...(spill !== '' && { spill }),
  ...(word !== undefined && { keepText: true, sampleRate: 1 }),
  sendEveryMs: 60_000,
});
for (let i = 0; i < 3; i++) await decompose(`${word ?? 'concept'} ${i}`);
if (way === 'exit') process.exit(0);
if (way === 'signal') {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => {}, 60_000);
}
