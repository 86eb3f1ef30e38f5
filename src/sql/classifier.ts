import { coarseTokens } from './tokens.ts';

/** What a statement may do. Whatever is not surely a read is a write. */
export type StatementKind = 'read' | 'write';

const readers = new Set(['SELECT', 'VALUES', 'EXPLAIN']);
const changers = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'WITH']);

/** Judges by the first word. WITH may introduce a DELETE and PRAGMA may set something, so both count as writes here. */
export function classifyStatement(text: string): StatementKind {
  return readers.has(firstKeyword(text)) ? 'read' : 'write';
}

/** Whether SQLite counts the rows that the statement changes. For others its counter still shows an earlier statement's. */
export function countsChanges(text: string): boolean {
  return changers.has(firstKeyword(text));
}

function firstKeyword(text: string): string {
  for (const { kind, start, end } of coarseTokens(text)) {
    if (kind === 'space' || kind === 'comment' || kind === 'semicolon') continue;
    return kind === 'word' ? text.slice(start, end).toUpperCase() : '';
  }
  return '';
}
