/** The entry of the commands `download` and `upload`. The service loads it when one of them runs. */
import { monotonicClock } from '../base/clock.ts';
import type { ServiceFile } from '../wire/serviceFile.ts';
import { download } from './download.ts';
import { TransferProgress } from './progress.ts';
import type { TransferParts } from './projectRows.ts';
import { upload } from './upload.ts';
import { misuse } from '../base/errors.ts';
import { readPipedKey, requireKey } from '../model/pipedKey.ts';
import { connect } from 'node:net';
import { Client, type ClientOptions } from '../client/index.ts';
import { connectProven } from '../wire/provenConnection.ts';

export interface TransferOptions {
  readonly direction: 'download' | 'upload';
  /** A service at an address. `keyDescriptor` is the pipe with the key. Undefined: the standard input. */
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
  const address = local ? localServiceAddress(local.service) : remoteServiceAddress(remote?.url ?? '');
  const apiKey = local?.apiKey ?? (await readKey(remote?.keyDescriptor, text => process.stderr.write(text)));
  await using client = new Client({ ...address, apiKey, retries, headersTimeout: answerMs });
  const parts: TransferParts = {
    project: client.project(projectId),
    clock: monotonicClock,
    signal,
    progress: new TransferProgress(note, monotonicClock),
  };
  // The address of a local service changes each time it starts, so it does not identify the project.
  const source = `${remote?.url ?? 'local'} ${projectId}`;
  await (direction === 'download' ? download({ ...parts, file, source }) : upload({ ...parts, file }));
}

const standardInput = 0;

/**
 * Reads the key from an inherited pipe or the standard input, or has the user type it unseen. The key is never in an argument,
 * an environment variable or a file.
 */
async function readKey(descriptor: number | undefined, ask: (text: string) => void): Promise<string> {
  if (descriptor === undefined && process.stdin.isTTY) return requireKey(await typedKey(ask), 'the terminal');
  return readPipedKey(descriptor ?? standardInput);
}

/** The terminal does not show what is typed. */
async function typedKey(ask: (text: string) => void): Promise<string> {
  const { stdin } = process;
  ask('API key of the project: ');
  stdin.setRawMode(true);
  let key = '';
  try {
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n' || character === '\u0004') return key;
        if (character === '\u0003') throw misuse('no_key', 'No API key was typed.');
        key = character === '\u007f' || character === '\b' ? key.slice(0, -1) : key + character;
      }
    }
    return key;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    ask('\n');
  }
}

type ServiceAddress = Pick<ClientOptions, 'baseUrl' | 'pathPrefix' | 'connect'>;

/** The waits before retries together take about a minute. */
const retries = 8;
/** A call may wait for a large index to be built. */
const answerMs = 10 * 60_000;

/** A local service proves on each connection that it knows the secret of its service file. */
const localServiceAddress = (service: ServiceFile): ServiceAddress => ({
  baseUrl: service.baseUrl,
  pathPrefix: service.pathPrefix,
  connect: () => connectProven(service, connect),
});

/** The path of the address is the prefix of all paths of the service. */
function remoteServiceAddress(url: string): ServiceAddress {
  const parsed = URL.parse(url);
  const path = parsed?.pathname.replace(/\/+$/, '') ?? '';
  if (!parsed || path === '') return { baseUrl: url };
  // A user name or a query stays, and the client refuses it.
  parsed.pathname = '';
  return { baseUrl: parsed.href, pathPrefix: path };
}
