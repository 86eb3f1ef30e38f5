/** The entry of the commands `download` and `upload`. The service loads it when one of them runs. */
import { monotonicClock } from '../base/clock.ts';
import type { ServiceFile } from '../wire/serviceFile.ts';
import { download } from './download.ts';
import { readKey } from './keyInput.ts';
import { TransferProgress } from './progress.ts';
import type { TransferParts } from './projectRows.ts';
import { openClient, type TransferAddress } from './transferConnection.ts';
import { upload } from './upload.ts';

export interface TransferOptions {
  readonly direction: 'download' | 'upload';
  /** A service, and the file descriptor of its key. Undefined reads it from the standard input. */
  readonly remote?: { readonly url: string; readonly keyDescriptor: number | undefined } | undefined;
  /** A service of this machine, with a key of its project. */
  readonly local?: { readonly service: ServiceFile; readonly apiKey: string } | undefined;
  readonly projectId: string;
  readonly file: string;
  /** Writes a line about the progress. */
  readonly note: (line: string) => void;
  readonly signal: AbortSignal;
}

export async function transfer(options: TransferOptions): Promise<void> {
  const { direction, remote, local, projectId, file, note, signal } = options;
  const address: TransferAddress = local ? { service: local.service } : { url: remote?.url ?? '' };
  const apiKey = local?.apiKey ?? (await readKey(remote?.keyDescriptor, text => process.stderr.write(text)));
  await using client = openClient(address, apiKey);
  const parts: TransferParts = {
    project: client.project(projectId),
    clock: monotonicClock,
    signal,
    progress: new TransferProgress(note, monotonicClock),
  };
  // The address of a local service is another one each time it starts.
  const source = `${remote?.url ?? 'local'} ${projectId}`;
  await (direction === 'download' ? download({ ...parts, file, source }) : upload({ ...parts, file }));
}
