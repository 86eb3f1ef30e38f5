import type { Stmt } from 'sqlite3-parser';
import type { Fault } from '../diagnosis/fault.ts';
import type { Lint } from '../lints/lint.ts';
import type { ParsedStatement } from '../parser/parser.ts';
import type { StatementScopes } from '../scope/scope.ts';
import type { Schema } from '../schema/schema.ts';
import type { TextEdit } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';

export type Finding = Fault | Lint;

/** A change of a statement that the user can choose. */
export interface Fix {
  readonly title: string;
  /** A quick fix corrects a fault or a lint. A rewrite or an extraction does not change the effect of the statement. */
  readonly kind: 'quickfix' | 'rewrite' | 'extract';
  /** They do not overlap. Offsets are those of the statement. */
  readonly edits: readonly TextEdit[];
  readonly finding?: Finding;
  /** Marks the fix to prefer: no other one is likely. */
  readonly isPreferred?: true;
  /** The fix must keep the names of the result's columns, or at least their number. {@link keepsResult} asks SQLite. */
  readonly keeps?: 'names' | 'count';
  /** A query that must not refer to the statement around it. */
  readonly extractedQuery?: string;
}

export interface FixRequest {
  readonly text: string;
  readonly parsed: ParsedStatement;
  readonly schema: Schema;
  readonly findings: readonly Finding[];
  readonly selection: TextRange;
}

/** A statement with a tree. Fixes of the syntax work without one. */
export interface FixContext {
  readonly text: string;
  readonly tree: Stmt;
  readonly schema: Schema;
  readonly scopes: StatementScopes;
}

export type FixesByCode = Readonly<Partial<Record<Finding['code'], (finding: Finding, context: FixContext) => Fix[]>>>;

export function quickFix(finding: Finding, title: string, edits: readonly TextEdit[], isPreferred = false): Fix {
  return { title, kind: 'quickfix', edits, finding, ...(isPreferred && { isPreferred }) };
}

export const replacement = ({ start, end }: TextRange, text: string): TextEdit => ({ start, end, text });

export const insertion = (offset: number, text: string): TextEdit => ({ start: offset, end: offset, text });
