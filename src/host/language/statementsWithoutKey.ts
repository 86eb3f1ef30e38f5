import type { Steps } from '../../base/turns.ts';
import { Redactor } from '../../client/index.ts';

/** The redactor takes a longer text for a secret as a whole. */
const pieceLength = 16 * 1024;

/** A key is found if no spelling of it is longer. */
const overlap = 4 * 1024;

/**
 * The statements without those that show a key, in steps. A service knows its key, and may write it into a statement: in a
 * spelling that the redactor finds, or in the hexadecimal digits of a BLOB.
 */
export function* statementsWithoutKey(statements: readonly string[], key: string): Steps<string[]> {
  const redactor = new Redactor([key]);
  const digits = Buffer.from(key).toString('hex');
  const clean: string[] = [];
  for (const statement of statements) {
    let showsKey = false;
    for (let start = 0; start < statement.length && !showsKey; start += pieceLength - overlap) {
      const piece = statement.slice(start, start + pieceLength);
      showsKey = redactor.text(piece) !== piece || piece.toLowerCase().includes(digits);
      yield;
    }
    if (!showsKey) clean.push(statement);
  }
  return clean;
}
