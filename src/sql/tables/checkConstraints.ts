import { keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import { mentionedNames } from '../text/mentionedNames.ts';
import { type CoarseToken, meaningfulTokens } from '../text/tokens.ts';

interface CheckConstraint {
  /** As SQLite names it in an error: its name, or the text of its expression. */
  readonly name: string;
  /** As SQL text, without the parentheses around it. */
  readonly expression: string;
}

/** The CHECK constraints in a CREATE TABLE statement, of its columns and of the table itself. */
export function checkConstraintsOf(createTable: string): CheckConstraint[] {
  const tokens = [...meaningfulTokens(createTable)];
  const textOf = ({ start, end }: CoarseToken): string => createTable.slice(start, end);
  const isWord = (token: CoarseToken | undefined, word: string): boolean =>
    token?.kind === 'word' && textOf(token).toUpperCase() === word;
  return tokens.flatMap((token, index): CheckConstraint[] => {
    const open = tokens[index + 1];
    if (!isWord(token, 'CHECK') || !open || textOf(open) !== '(') return [];
    const close = closingParenthesis(tokens, index + 1, textOf);
    if (!close) return [];
    const expression = createTable.slice(open.end, close.start).trim();
    const isNamed = isWord(tokens[index - 2], 'CONSTRAINT');
    return [{ name: isNamed ? unquoted(textOf(tokens[index - 1]!)) : expression, expression }];
  });
}

/** The columns of a table that an expression names. */
export function columnsIn(expression: string, columns: readonly string[]): string[] {
  const names = mentionedNames(expression);
  return columns.filter(column => names.has(keyOf(column)));
}

function closingParenthesis(
  tokens: readonly CoarseToken[],
  first: number,
  textOf: (token: CoarseToken) => string,
): CoarseToken | undefined {
  let depth = 0;
  for (const token of tokens.slice(first)) {
    const text = textOf(token);
    if (text === '(') depth++;
    if (text === ')') depth--;
    if (depth === 0) return token;
  }
  return undefined;
}
