import type { Stmt } from 'sqlite3-parser';
import { isSameList } from '../../base/isSameList.ts';
import { parseStatement } from '../parser/parser.ts';
import type { StatementList } from '../text/statementIndex.ts';
import { detachedCopy } from '../text/textCache.ts';
import type { Schema } from './schema.ts';

/** The first word of a statement that may change the schema. */
const ddlKeyword = /(?:create|alter|drop)\b/iy;

/** The schema at each statement of an edited document: the project's, changed by the DDL above the statement. */
export class DocumentSchema {
  readonly #document: StatementList;
  readonly #schema: Schema;
  /** By the text of a DDL statement, so that a keystroke costs the parsing of one statement. */
  #ddlTrees = new Map<string, Stmt | undefined>();
  #cached: { readonly ddl: readonly string[]; readonly schema: Schema };

  constructor(document: StatementList, schema: Schema) {
    this.#document = document;
    this.#schema = schema;
    this.#cached = { ddl: [], schema };
  }

  before(number: number): Schema {
    const allDdl = this.#ddlStatements();
    const ddl = allDdl.filter(statement => statement.number < number).map(({ text }) => text);
    const cached = this.#cached;
    if (isSameList(ddl, cached.ddl)) return cached.schema;
    const trees = new Map(allDdl.map(({ text }) => [text, this.#treeOf(text)]));
    this.#ddlTrees = trees;
    const statements = ddl.map(text => trees.get(text)).filter(tree => tree !== undefined);
    this.#cached = { ddl, schema: this.#schema.after(statements) };
    return this.#cached.schema;
  }

  #treeOf(text: string): Stmt | undefined {
    return this.#ddlTrees.has(text) ? this.#ddlTrees.get(text) : parseStatement(text).ast;
  }

  #ddlStatements(): { readonly number: number; readonly text: string }[] {
    const document = this.#document;
    const { text } = document;
    const statements: { number: number; text: string }[] = [];
    for (let number = 0; number < document.count; number++) {
      const { start, end } = document.at(number)!;
      ddlKeyword.lastIndex = start;
      if (ddlKeyword.test(text)) statements.push({ number, text: detachedCopy(text.slice(start, end)) });
    }
    return statements;
  }
}
