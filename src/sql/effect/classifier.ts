import { CoarseScanner } from '../text/tokens.ts';

/** What a statement may do. Whatever is not surely a read is a write. */
export type StatementKind = 'read' | 'write';

const readers = new Set(['SELECT', 'VALUES', 'EXPLAIN']);
const changers = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'WITH']);

/**
 * Judges by the first word, where a parser would be too much to load. WITH may introduce a DELETE and PRAGMA may set
 * something, so both count as writes here, and so does more than one statement. What it calls a read, effectOf() does too.
 */
export function classifyStatement(text: string): StatementKind {
  const { keyword, alone } = outlineOf(text);
  return alone && readers.has(keyword) ? 'read' : 'write';
}

/** Whether SQLite counts the rows that the statement changes. For others its counter still shows an earlier statement's. */
export function countsChanges(text: string): boolean {
  return changers.has(outlineOf(text).keyword);
}

/** Whether tables, views, indexes or triggers may be others after it. */
export function changesSchema(text: string): boolean {
  const { keyword, alone } = outlineOf(text);
  return !alone || keyword === 'CREATE' || keyword === 'ALTER' || keyword === 'DROP';
}

/** The first word, and whether nothing stands behind the first semicolon. */
function outlineOf(text: string): { keyword: string; alone: boolean } {
  const scanner = new CoarseScanner(text);
  let keyword: string | undefined;
  let ended = false;
  while (scanner.next()) {
    const { kind, start, end } = scanner;
    if (kind === 'space' || kind === 'comment') continue;
    if (kind === 'semicolon') {
      ended ||= keyword !== undefined;
      continue;
    }
    if (ended) return { keyword: keyword ?? '', alone: false };
    keyword ??= kind === 'word' ? text.slice(start, end).toUpperCase() : '';
  }
  return { keyword: keyword ?? '', alone: true };
}
