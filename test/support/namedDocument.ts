import { parseStatement } from '../../src/sql/parser/parser.ts';
import { DocumentSchema } from '../../src/sql/schema/documentSchema.ts';
import type { Schema } from '../../src/sql/schema/schema.ts';
import type { NameInDocument, NamedDocument } from '../../src/sql/symbols/documentNames.ts';
import { StatementIndex } from '../../src/sql/text/statementIndex.ts';
import { TextCache } from '../../src/sql/text/textCache.ts';
import { corpusSchema } from './completeMarked.ts';

/** A document as the language server has it. */
export function namedDocument(text: string, schema: Schema = corpusSchema): NamedDocument {
  const statements = new StatementIndex(text);
  const documentSchema = new DocumentSchema(statements, schema);
  const trees = new TextCache<ReturnType<typeof parseStatement>>();
  return {
    statements,
    parsed(number) {
      const { start, end } = statements.at(number)!;
      const statement = statements.slice(start, end);
      const tree = trees.get(statement) ?? parseStatement(statement);
      trees.set(statement, tree);
      return tree;
    },
    schemaBefore: number => documentSchema.before(number),
  };
}

/** The text with ⟦brackets⟧ around names. */
export function markNames(text: string, names: Iterable<NameInDocument>): string {
  let result = '';
  let end = 0;
  for (const { statement, occurrence } of names) {
    const start = statement.start + occurrence.start;
    const nameEnd = statement.start + occurrence.end;
    result += `${text.slice(end, start)}⟦${text.slice(start, nameEnd)}⟧`;
    end = nameEnd;
  }
  return result + text.slice(end);
}
