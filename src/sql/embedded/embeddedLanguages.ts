import type { EmbeddedSql } from './embeddedSql.ts';
import { pythonLiterals } from './pythonLiterals.ts';
import { scriptLiterals } from './scriptLiterals.ts';

type FindLiterals = (file: string) => EmbeddedSql[];

const withJsx: FindLiterals = file => scriptLiterals(file, { hasJsx: true });

/** Finds the SQL in the files of a language, by its identifier in VS Code. */
const languages: Readonly<Record<string, FindLiterals>> = {
  typescript: file => scriptLiterals(file, { hasJsx: false }),
  typescriptreact: withJsx,
  javascript: withJsx,
  javascriptreact: withJsx,
  python: pythonLiterals,
};

/** Languages whose literals may be SQL. */
export const embeddingLanguages: readonly string[] = Object.keys(languages);

export const isEmbeddingLanguage = (languageId: string): boolean => Object.hasOwn(languages, languageId);

/** Longer files are mostly generated, and each edit scans the whole file. */
const maxFileLength = 4_000_000;

/** A quick test that spares most files the scan. */
const mark = /\bsql\b/i;

/** The SQL in a file, in the order of the file. Only literals with a tag or a comment that says `sql` count. */
export function embeddedSqlIn(file: string, languageId: string): readonly EmbeddedSql[] {
  if (!isEmbeddingLanguage(languageId) || file.length > maxFileLength || !mark.test(file)) return [];
  return languages[languageId]!(file);
}
