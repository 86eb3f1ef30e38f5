import { close, read } from 'node:fs';
import { promisify } from 'node:util';
import { misuse, type ProjectError } from '../base/errors.ts';

/** The most bytes of a key. A longer text is not a key. */
const maxKeyBytes = 16 * 1024;

/** It stays open: this process did not open it. */
const standardInput = 0;

/** The key that the parent process wrote into an inherited pipe. It is in no argument, variable or file. */
export async function readPipedKey(descriptor: number): Promise<string> {
  const from = descriptor === standardInput ? 'the standard input' : `the file descriptor ${descriptor}`;
  return requireKey(await textOf(descriptor, from), from);
}

/** A key as it was typed or read. `from` tells in an error where it came from. */
export function requireKey(text: string, from: string): string {
  const key = text.trim();
  if (key === '' || key.length >= maxKeyBytes || /\s/.test(key)) throw noKey(from);
  return key;
}

async function textOf(descriptor: number, from: string): Promise<string> {
  const buffer = Buffer.alloc(maxKeyBytes);
  let length = 0;
  try {
    while (length < maxKeyBytes) {
      const { bytesRead } = await promisify(read)(descriptor, buffer, length, maxKeyBytes - length, null);
      length += bytesRead;
      if (bytesRead === 0) break;
    }
    return buffer.toString('utf8', 0, length);
  } catch (cause) {
    throw Object.assign(noKey(from), { cause });
  } finally {
    buffer.fill(0);
    if (descriptor !== standardInput) await promisify(close)(descriptor).catch(() => undefined);
  }
}

const noKey = (from: string): ProjectError => misuse('no_key', `No API key could be read from ${from}.`);
