import type { EmbeddedSql } from './embeddedSql.ts';
import type { EmbeddingSyntax } from './embeddingLanguages.ts';
import { pythonLiterals } from './pythonLiterals.ts';
import { scriptLiterals } from './scriptLiterals.ts';

/** Each edit scans the whole file, and longer files are mostly generated. */
const maxFileLength = 4_000_000;

/** A file without this word needs no scan. */
const mark = /\bsql\b/i;

/** The SQL literals of a program, in the order of the file. A tag or a comment `sql` marks each of them. */
export function findEmbeddedSql(file: string, syntax: EmbeddingSyntax): readonly EmbeddedSql[] {
  if (file.length > maxFileLength || !mark.test(file)) return [];
  return syntax === 'python' ? pythonLiterals(file) : scriptLiterals(file, { hasJsx: syntax === 'scriptWithJsx' });
}
