import { oneLine } from '../../base/oneLine.ts';
import { CoarseScanner } from './tokens.ts';

/** Words before the name of a table. A text in double quotes anywhere else may be a value: SQLite takes unknown names for texts. */
const wordsBeforeNames = new Set(['FROM', 'JOIN', 'INTO', 'UPDATE', 'TABLE', 'VIEW', 'INDEX', 'TRIGGER', 'EXISTS']);

/** A statement on one line, without comments, and with `?` in the place of each value. For logs. */
export function statementWithoutValues(statement: string, maxLength: number): string {
  // Each character of the label takes at least one of the statement, and blanks and comments may be long.
  const scanner = new CoarseScanner(statement);
  let label = '';
  let before = '';
  let isApart = false;
  while (label.length <= maxLength && scanner.next()) {
    const { kind, start, end } = scanner;
    const isBetween = kind === 'space' || kind === 'comment' || kind === 'semicolon';
    if (isBetween) isApart = label !== '';
    else {
      const text = statement.slice(start, end);
      const isValue = kind === 'number' || (kind === 'quoted' && !isQuotedName(text, before));
      label += `${isApart ? ' ' : ''}${isValue ? '?' : text}`;
      isApart = false;
      before = text.toUpperCase();
    }
  }
  return oneLine(label, maxLength);
}

function isQuotedName(text: string, before: string): boolean {
  if (!/["`\]]$/.test(text) || text.length < 2) return false;
  return /^["]/.test(text) ? before === '.' || wordsBeforeNames.has(before) : /^[`[]/.test(text);
}

/** A message of SQLite without the values that it quotes from the statement. Words of the statement stay. */
export function faultWithoutValues(message: string, statement: string): string {
  const words = new Set<string>();
  const scanner = new CoarseScanner(statement);
  while (scanner.next()) if (scanner.kind === 'word') words.add(statement.slice(scanner.start, scanner.end));
  return message.replaceAll(/"([^"]*)"|'([^']*)'|\[([^\]]*)\]/g, (whole, ...texts: (string | undefined)[]) => {
    const text = texts.slice(0, 3).find(one => one !== undefined) ?? '';
    return words.has(text) || !/[\p{L}\p{N}]/u.test(text) ? whole : '?';
  });
}
