/** One of several processes that append to the same history: `node append-history.ts FILE WHO TIMES`. */
import { appendHistory } from '../history.ts';

const [file = '', who = '', times = '1'] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) {
  await appendHistory(file, {
    run_id: `${who}-${i}`,
    at: new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString(),
    subject: who,
    extractor: 'local',
    prompt: null,
    golden_hash: 'g',
    scorer: 's',
    standard: 'documented',
    n_cases: 1,
    n_errored: 0,
    verdict: 'passed',
    metrics: { overall: 0.5 },
  });
}
