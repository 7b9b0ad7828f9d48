/** The thread that reads whole transcripts, one question after the other. */
import { parentPort } from 'node:worker_threads';
import { defaultPorts } from '../../operations/default-ports.ts';
import { sentError } from '../live/watch-thread.ts';
import { answerTranscript, type WorkerRequest, type WorkerResponse } from './read-in-worker.ts';

parentPort?.on('message', async ({ question, store, scope }: WorkerRequest) => {
  const ports = defaultPorts({ store, scope });
  const answered: WorkerResponse = await answerTranscript(question, ports).then(
    (answer) => ({ answer }),
    (error) => ({ error: sentError(error) }),
  );
  await ports.close();
  parentPort?.postMessage(answered);
});
