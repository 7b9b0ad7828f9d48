/** The facts of sessions as stores held them before: compressed with a dictionary of what facts looked like then. */
import { inflateRawSync } from 'node:zlib';

/** The first byte. */
const [PLAIN_NUMBER, DICTIONARY_NUMBER] = [0, 1];

/** What is frequent stands at the end: deflate reaches it with the shortest distances. */
const DICTIONARY = Buffer.from(
  [
    '{"facts":{"version":1,"source":"openclaw","sessionId":"00000000-0000-4000-8000-000000000000","parent',
    'SessionId":"","declaredUsage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0},"declaredCostUsd":',
    '0.0,"declaredIsTotal":true,"declaredTaskType":"coding","origin":"","written":{"oneIn":1,"files":[{"e',
    'nds":[],"inside":true,"firstAt":17,"lastAt":17,"wrote":"","left":""},{"ends":[],"inside":false,"firs',
    'tAt":17,"lastAt":17,"wrote":""}],"commits":[]},"runs":[{"trigger":"heartbeat","end":"error","endLine',
    '":,"end":"aborted","artifact":"commit","artifact":"pull-request","artifact":"message","artifact":"is',
    'sue","toolKinds":{"search":1,"spawn":1,"web":1,"record":1,"other":1},"requestTraits":["question","co',
    'de-words","explain-request","research-request","short"],"provider":"anthropic","model":"claude-sonne',
    't-4-5","model":"claude-opus-4-6","model":"gpt-5","agent":"codex","source":"codex","path":"/home/.cla',
    'ude/projects/","/sessions/","costUsd":0.',
    '{"facts":{"version":1,"source":"claude-code","sessionId":"","agent":"claude-code","project":"/Users/',
    '","runs":[{"trigger":"user","firstLine":1,"lastLine":,"startedAt":17,"endedAt":17,"turns":1,"replies',
    '":1,"models":[{"model":"claude-","messages":1,"usage":{"input":1,"output":1,"cacheRead":1,"cacheWrit',
    'e":1},"messagesWithoutUsage":0}],"tools":{"calls":1,"succeeded":1,"failed":0,"denied":0,"unknown":0,',
    '"firstAttemptSuccesses":1,"failedLines":[]},"toolKinds":{"shell":1,"read":1,"write":1},"loops":{"rec',
    'overed":0,"persistent":0,"longestRepeat":1,"lines":[]},"spawned":0,"spawnsCompleted":0,"spawnsFailed',
    '":0,"compactions":0,"compactionLines":[],"corrections":0,"correctedBy":{"failed":0,"denied":0,"said"',
    ':0},"correctionLines":[],"interrupts":0,"outputChars":1,"finalReply":"text","finalReplyChars":1,"fin',
    'alReplyLine":1,"requestTraits":["code-words"],"artifacts":[{"artifact":"file","made":1,"failed":0,"l',
    'ines":[]}],"changesAttempted":0,"changesFailed":0,"work":{"codeChanges":0,"lastChangeLine":1},"end":',
    '"normal","endLine":1}],"written":{"oneIn":1,"files":[],"commits":[]},"abandoned":{"entries":0,"usage',
    '":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0}},"origin":""},"file":{"path":"/","lines":1,"sk',
    'ipped":{},"unknownRecords":{}}}',
  ].join(''),
);

/** Undefined: these are no facts. */
export function inflateFacts(packed: unknown): string | undefined {
  if (!(packed instanceof Uint8Array)) return undefined;
  if (packed[0] === PLAIN_NUMBER) return Buffer.from(packed.subarray(1)).toString();
  if (packed[0] !== DICTIONARY_NUMBER) return undefined;
  try {
    return inflateRawSync(packed.subarray(1), { dictionary: DICTIONARY }).toString();
  } catch {
    return undefined;
  }
}

/** On the way from a store in which they were text. */
export function plainFacts(json: string): Uint8Array {
  return Buffer.concat([Buffer.of(PLAIN_NUMBER), Buffer.from(json)]);
}
