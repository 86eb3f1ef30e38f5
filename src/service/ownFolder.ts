import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../base/errors.ts';

/** Makes sure of a folder that this process may write: one that is there, or a new one for its owner's eyes only. */
export function requireOwnFolder(folder: string): void {
  try {
    makeFolder(resolve(folder));
    // With a dot behind, so that a file is none.
    accessSync(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const message = `The data folder ${folder} cannot be used: ${messageOf(cause)}. Choose a folder that you may write to.`;
    throw new Error(message, { cause });
  }
}

/** One after the other: Node.js, asked to make them all, tries for ever where the system lets none be made, as under /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw thrown;
  }
}
