import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeServiceFile, type ServiceFile, serviceFileName } from '../../src/wire/serviceFile.ts';
import { endsAtService, proofOf, randomHex32 } from '../../src/wire/serviceProof.ts';
import type { Answer, ReceivedRequest } from './scriptedServer.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** The service file of a service at this address, which another program may have now. */
export const serviceFileFor = (baseUrl: string, fields: Partial<ServiceFile> = {}): ServiceFile => ({
  baseUrl,
  pathPrefix: '/p',
  adminKey: 'sqlp_admin',
  proofSecret: randomHex32(),
  ...fields,
});

/** A data folder with a service file. It is removed with the test. */
export async function serviceFolder(file: ServiceFile): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(join(folder, serviceFileName), encodeServiceFile(file));
  return folder;
}

/** Answers a nonce as the service of the file does. */
export const answerProof =
  (file: ServiceFile): Answer =>
  (response, { path }) => {
    const nonce = new URL(path, file.baseUrl).searchParams.get('nonce') ?? '';
    const ends = endsAtService(response.req.socket);
    void proofOf({ secret: file.proofSecret, ends, nonce }).then(proof => response.end(JSON.stringify({ proof })));
  };

/** Whether a program learned a secret from these requests: a key, or what a proof is made with. */
export function hasLearned(requests: readonly ReceivedRequest[], ...secrets: readonly string[]): boolean {
  const received = JSON.stringify(requests);
  return requests.some(({ headers }) => 'x-api-key' in headers) || secrets.some(secret => received.includes(secret));
}
