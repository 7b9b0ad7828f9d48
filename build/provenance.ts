/**
 * From what, by whom and how a release was made, as an in-toto statement with the SLSA provenance predicate (version 1), and
 * with a key as a signed DSSE envelope.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { LockedPackage } from './locked-packages.ts';
import { hexOf } from './sbom.ts';

export type Built = {
  /** File name → its bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly commit: string;
  readonly repository: string;
  readonly packages: readonly LockedPackage[];
  readonly builder: string;
  readonly at: Date;
  readonly node: string;
};

export type Statement = ReturnType<typeof provenanceOf>;

export function provenanceOf({ files, commit, repository, packages, builder, at, node }: Built) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...files].map(([name, bytes]) => ({ name, digest: { sha256: sha256(bytes) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:assay:build:npm-pack:1',
        externalParameters: { source: repository, commit, command: 'npm run release' },
        internalParameters: { node },
        resolvedDependencies: [
          { uri: `git+${repository}`, digest: { gitCommit: commit } },
          ...packages.flatMap(({ name, version, integrity }) =>
            integrity === undefined
              ? []
              : [
                  {
                    uri: `pkg:npm/${name.replace(/^@/, '%40')}@${version}`,
                    digest: { sha512: hexOf(integrity) },
                  },
                ],
          ),
        ],
      },
      runDetails: { builder: { id: builder }, metadata: { startedOn: at.toISOString() } },
    },
  };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const TYPE = 'application/vnd.in-toto+json';

export type Envelope = {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
};

/** What is signed says its own type and length, so that no other text has the same signature. */
function signedPart(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${TYPE.length} ${TYPE} ${payload.length} `), payload]);
}

/** `pem` is a private key, Ed25519 or any other that needs no digest named. */
export function signedStatement(statement: object, pem: string): Envelope {
  const key = createPrivateKey(pem);
  const payload = Buffer.from(JSON.stringify(statement));
  return {
    payloadType: TYPE,
    payload: payload.toString('base64'),
    signatures: [
      { keyid: keyIdOf(createPublicKey(key)), sig: sign(null, signedPart(payload), key).toString('base64') },
    ],
  };
}

function keyIdOf(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' }));
}

/** The statement in it, when this key has signed it. */
export function openEnvelope(envelope: Envelope, pem: string): Statement {
  const key = createPublicKey(pem);
  const payload = Buffer.from(envelope.payload, 'base64');
  const isSigned = envelope.signatures.some(({ sig }) =>
    verify(null, signedPart(payload), key, Buffer.from(sig, 'base64')),
  );
  if (!isSigned || envelope.payloadType !== TYPE) throw new Error('this key has not signed the provenance');
  return JSON.parse(payload.toString('utf8'));
}

/** What of the files is not what the statement says; nothing: all is well. */
export function faultsIn(
  { subject }: Pick<Statement, 'subject'>,
  read: (name: string) => Uint8Array,
): readonly string[] {
  if (subject.length === 0) return ['it speaks of no file'];
  return subject.flatMap(({ name, digest }) => {
    try {
      return sha256(read(name)) === digest.sha256 ? [] : [`${name} is not the file that was released`];
    } catch {
      return [`${name} is not there`];
    }
  });
}
