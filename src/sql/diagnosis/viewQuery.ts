import { rangeOf } from '../parser/nodeRange.ts';
import { parseValidStatement } from '../parser/parser.ts';
import { firstWords } from '../shadow/statementWords.ts';
import type { TextRange } from '../text/textRange.ts';

/** `CREATE TEMP VIEW`. */
const maxHeadWords = 3;

/** The query of a valid statement that creates a view. SQLite does not look at its names before the view is used. */
export function viewQuery(statement: string): TextRange | undefined {
  const words = firstWords(statement, maxHeadWords).map(({ key }) => key);
  if (words[0] !== 'CREATE' || !words.includes('VIEW')) return undefined;
  const { ast } = parseValidStatement(statement);
  return ast?.type === 'CreateViewStmt' ? rangeOf(ast.select) : undefined;
}
