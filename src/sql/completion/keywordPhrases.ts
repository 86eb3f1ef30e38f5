import type { TokenId } from 'sqlite3-parser';
import { tokenId } from '../parser/grammar.ts';
import type { CursorContext } from './cursorContext.ts';

/** Keywords that people mostly write together. */
const phrases = [
  'INSERT INTO',
  'DELETE FROM',
  'CREATE TABLE',
  'GROUP BY',
  'ORDER BY',
  'PARTITION BY',
  'LEFT JOIN',
  'UNION ALL',
  'IS NULL',
  'IS NOT NULL',
  'NOT NULL',
  'NOT IN',
  'NOT EXISTS',
  'PRIMARY KEY',
  'FOREIGN KEY',
  'ON CONFLICT',
  'DO NOTHING',
  'DEFAULT VALUES',
];

const tokenNames: Readonly<Record<string, string>> = { LEFT: 'JOIN_KW' };

const tokensByPhrase: ReadonlyMap<string, readonly TokenId[]> = new Map(
  phrases.map(phrase => [phrase, phrase.split(' ').map(word => tokenId(tokenNames[word] ?? word))]),
);

const joinKeyword = tokenId('JOIN_KW');
const join = tokenId('JOIN');
const exists = tokenId('EXISTS');

/** The phrases that the grammar takes at the cursor, keyword by keyword. */
export function fittingPhrases({ stack, tokens, index }: CursorContext): string[] {
  // LEFT is a name as well, except where JOIN fits.
  const startsJoin = stack.couldTake(join) && tokens[index - 1]?.type !== joinKeyword;
  const startsOperand = stack.couldTake(exists);
  return phrases.filter(phrase => {
    // As an operand, NOT NULL would be the opposite of NULL.
    if ((phrase === 'LEFT JOIN' && !startsJoin) || (phrase === 'NOT NULL' && startsOperand)) return false;
    const fork = stack.fork();
    return tokensByPhrase.get(phrase)!.every(token => fork.couldTake(token) && fork.feed(token) === 'shift');
  });
}
