import { quoteIdentifier } from '../../../sql/text/quoting.ts';
import { type CoarseToken, coarseTokens } from '../../../sql/text/tokens.ts';
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
  const tokens = [...coarseTokens(text)].filter(({ kind }) => kind !== 'space' && kind !== 'comment');
  const parts = tokens.map(({ start, end }) => text.slice(start, end));
  const from = lastOutside(parts, part => /^returning$/i.test(part));
  const table = tableOf(parts.slice(0, Math.max(0, from)));
  if (from === -1 || table === undefined) return undefined;
  const items = itemsOf(text, tokens.slice(from + 1));
  const list = items.map(item => (item === '*' ? columnsOf(storage, table) : item)).join(', ');
  return { head: text.slice(0, tokens[from]!.end), list, query: `SELECT ${list} FROM ${table}` };
}

/** The index of the last part outside of parentheses that fits. */
function lastOutside(parts: readonly string[], fits: (part: string) => boolean): number {
  let depth = 0;
  let last = -1;
  for (const [at, part] of parts.entries()) {
    if (part === '(') depth++;
    if (part === ')') depth--;
    if (depth === 0 && fits(part)) last = at;
  }
  return last;
}

/** The name after INTO, UPDATE or DELETE FROM, outside of the parentheses of a WITH clause. */
function tableOf(parts: readonly string[]): string | undefined {
  let depth = 0;
  for (const [at, part] of parts.entries()) {
    if (part === '(') depth++;
    if (part === ')') depth--;
    if (depth !== 0) continue;
    const word = part.toUpperCase();
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
  let depth = 0;
  let start = tokens[0]?.start ?? text.length;
  for (const token of tokens) {
    const part = text.slice(token.start, token.end);
    if (part === '(') depth++;
    if (part === ')') depth--;
    if (part !== ',' || depth > 0) continue;
    items.push(text.slice(start, token.start).trim());
    start = token.end;
  }
  return [...items, text.slice(start, tokens.at(-1)?.end).trim()];
}

/** `*` does not mean hidden columns. */
function columnsOf(storage: ObjectStorage, table: string): string {
  const names = storage.sql.exec(`SELECT * FROM ${table} LIMIT 0`).columnNames;
  return names.map(quoteIdentifier).join(', ');
}
