import { close, read } from 'node:fs';
import { promisify } from 'node:util';
import { misuse } from '../base/errors.ts';

/** No key is so long. */
const maxKeyBytes = 16 * 1024;

/** The key that the parent process wrote into an inherited pipe. It is in no argument, variable or file. */
export async function readKey(descriptor: number): Promise<string> {
  const buffer = Buffer.alloc(maxKeyBytes);
  let length = 0;
  try {
    for (;;) {
      const { bytesRead } = await promisify(read)(descriptor, buffer, length, maxKeyBytes - length, null);
      length += bytesRead;
      if (bytesRead === 0 || length === maxKeyBytes) break;
    }
  } catch (cause) {
    throw noKey(descriptor, cause);
  } finally {
    await promisify(close)(descriptor).catch(() => undefined);
  }
  const key = buffer.toString('utf8', 0, length).trim();
  buffer.fill(0);
  if (key === '' || length === maxKeyBytes || /\s/.test(key)) throw noKey(descriptor);
  return key;
}

const noKey = (descriptor: number, cause?: unknown): Error =>
  Object.assign(misuse('no_key', `No API key could be read from the file descriptor ${descriptor}.`), { cause });
