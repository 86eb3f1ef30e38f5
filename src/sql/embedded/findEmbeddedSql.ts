import type { EmbeddedSql } from './embeddedSql.ts';
import type { EmbeddingSyntax } from './embeddingLanguages.ts';
import { pythonLiterals } from './pythonLiterals.ts';
import { scriptLiterals } from './scriptLiterals.ts';

/** Longer files are mostly generated, and each edit scans the whole file. */
const maxFileLength = 4_000_000;

/** A quick test, so that most files need no scan. */
const mark = /\bsql\b/i;

/** The SQL in a file, in the order of the file. Only literals with a tag or a comment that says `sql` count. */
export function findEmbeddedSql(file: string, syntax: EmbeddingSyntax): readonly EmbeddedSql[] {
  if (file.length > maxFileLength || !mark.test(file)) return [];
  return syntax === 'python' ? pythonLiterals(file) : scriptLiterals(file, { hasJsx: syntax === 'scriptWithJsx' });
}
