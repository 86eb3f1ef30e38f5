import { misuse } from '../base/errors.ts';
import { readPipedKey, requireKey } from '../model/pipedKey.ts';

/** The standard input. */
const standardInput = 0;

/**
 * The key of a project: from an inherited pipe, from the standard input, or typed by a user, who does not see it. It is in no
 * argument, variable or file.
 */
export async function readKey(descriptor: number | undefined, ask: (text: string) => void): Promise<string> {
  if (descriptor === undefined && process.stdin.isTTY) return requireKey(await typedKey(ask), 'the terminal');
  return readPipedKey(descriptor ?? standardInput);
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
