import { quoteIdentifier } from '../../../sql/text/quoting.ts';
import type { CoarseToken } from '../../../sql/text/tokens.ts';
import { meaningfulTokens } from '../common/errorPlace.ts';
import type { ObjectStorage } from './objectStorage.ts';
import type { StatementText } from './statementText.ts';

/** The list after RETURNING. */
interface ReturningList {
  /** The statement up to its list. */
  readonly head: string;
  /** The list, with the columns of the table instead of each `*`. */
  readonly list: string;
  /** A query over the table that has the same names and types as the list. */
  readonly query: string;
}

/** RETURNING is reserved, so the last one outside of parentheses begins the list. Undefined if there is none. */
export function returningList(storage: ObjectStorage, { text }: StatementText): ReturningList | undefined {
  const tokens = meaningfulTokens(text);
  const parts = tokens.map(({ start, end }) => text.slice(start, end));
  const from = outside(parts).findLast(at => /^returning$/i.test(parts[at]!));
  const table = tableOf(parts.slice(0, from));
  if (from === undefined || table === undefined) return undefined;
  const items = itemsOf(text, tokens.slice(from + 1));
  const list = items.map(item => (item === '*' ? columnsOf(storage, table) : item)).join(', ');
  return { head: text.slice(0, tokens[from]!.end), list, query: `SELECT ${list} FROM ${table}` };
}

/** The indexes of the parts outside of parentheses. */
function outside(parts: readonly string[]): number[] {
  let depth = 0;
  return parts.flatMap((part, at) => {
    if (part === '(') depth++;
    if (part === ')') depth--;
    return depth === 0 ? [at] : [];
  });
}

/** The name after INTO, UPDATE or DELETE FROM, outside of the parentheses of a WITH clause. */
function tableOf(parts: readonly string[]): string | undefined {
  for (const at of outside(parts)) {
    const word = parts[at]!.toUpperCase();
    const previous = parts[at - 1]?.toUpperCase();
    if (word === 'INTO' || (word === 'FROM' && previous === 'DELETE')) return nameAt(parts, at + 1);
    if (word === 'UPDATE' && previous !== 'DO')
      return nameAt(parts, parts[at + 1]?.toUpperCase() === 'OR' ? at + 3 : at + 1);
  }
  return undefined;
}

/** A name with its schema and its alias. */
function nameAt(parts: readonly string[], at: number): string {
  const afterName = parts[at + 1] === '.' ? at + 3 : at + 1;
  const hasAlias = parts[afterName]?.toUpperCase() === 'AS';
  return `${parts.slice(at, afterName).join('')}${hasAlias ? ` AS ${parts[afterName + 1]}` : ''}`;
}

/** The items of a list, divided at the commas outside of parentheses. */
function itemsOf(text: string, tokens: readonly CoarseToken[]): string[] {
  const items: string[] = [];
  const parts = tokens.map(({ start, end }) => text.slice(start, end));
  let start = tokens[0]?.start ?? text.length;
  for (const at of outside(parts).filter(index => parts[index] === ',')) {
    items.push(text.slice(start, tokens[at]!.start).trim());
    start = tokens[at]!.end;
  }
  return [...items, text.slice(start, tokens.at(-1)?.end).trim()];
}

/** `*` does not mean hidden columns. */
function columnsOf(storage: ObjectStorage, table: string): string {
  const names = storage.sql.exec(`SELECT * FROM ${table} LIMIT 0`).columnNames;
  return names.map(quoteIdentifier).join(', ');
}
