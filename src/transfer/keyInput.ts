import { close, read } from 'node:fs';
import { promisify } from 'node:util';
import { misuse } from '../base/errors.ts';

/** No key is so long. */
const maxKeyBytes = 16 * 1024;

/** The standard input. */
const standardInput = 0;

/**
 * The key of a project: from an inherited pipe, from the standard input, or typed by a user, who does not see it. It is in no
 * argument, variable or file.
 */
export async function readKey(descriptor: number | undefined, ask: (text: string) => void): Promise<string> {
  if (descriptor === undefined && process.stdin.isTTY) return checked(await typedKey(ask), 'the terminal');
  const number = descriptor ?? standardInput;
  const from = descriptor === undefined ? 'the standard input' : `the file descriptor ${number}`;
  return checked(await pipedKey(number, from), from);
}

async function pipedKey(descriptor: number, from: string): Promise<string> {
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

/** Reads a line of the terminal, which shows nothing of it. */
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

function checked(text: string, from: string): string {
  const key = text.trim();
  if (key === '' || key.length >= maxKeyBytes || /\s/.test(key)) throw noKey(from);
  return key;
}

const noKey = (from: string) => misuse('no_key', `No API key could be read from ${from}.`);
