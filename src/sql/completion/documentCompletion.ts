import type { Stmt } from 'sqlite3-parser';
import { parseStatement } from '../parser/parser.ts';
import type { Schema } from '../schema/schema.ts';
import type { StatementList } from '../text/statementIndex.ts';
import { completionAt, type Completion } from './completion.ts';

/** Matches the beginning of a statement that may change the schema. */
const ddlKeyword = /(?:create|alter|drop)\b/iy;

interface DdlStatement {
  readonly number: number;
  readonly text: string;
}

/** Completion in a document that is being edited. Its own DDL takes effect for the statements behind it. */
export class DocumentCompletion {
  readonly #document: StatementList;
  readonly #schema: Schema;
  /** Trees of the document's DDL by its text, so that a keystroke costs the parsing of one statement. */
  #ddlTrees = new Map<string, Stmt | undefined>();
  #cached: { readonly ddl: readonly string[]; readonly schema: Schema };

  constructor(document: StatementList, schema: Schema) {
    this.#document = document;
    this.#schema = schema;
    this.#cached = { ddl: [], schema };
  }

  at(offset: number): Completion {
    const { number, start, end } = this.#statementAround(offset);
    const text = this.#document.slice(start, end);
    const completion = completionAt(text, offset - start, this.#schemaBefore(number));
    return {
      start: completion.start + start,
      end: completion.end + start,
      proposals: completion.proposals,
    };
  }

  /** The statement around `offset`, with the space and the comments before it. */
  #statementAround(offset: number): { number: number; start: number; end: number } {
    const document = this.#document;
    let number = document.firstEndingAfter(offset);
    // Behind the last statement the cursor is still in it unless a semicolon ends it.
    if (number > 0 && number === document.count && !document.at(number - 1)!.terminated) number--;
    const start = number === 0 ? 0 : document.at(number - 1)!.end;
    const statement = document.at(number);
    return { number, start, end: Math.max(offset, statement?.end ?? document.length) };
  }

  #schemaBefore(number: number): Schema {
    const allDdl = this.#ddlStatements();
    const ddl = allDdl.filter(statement => statement.number < number).map(({ text }) => text);
    const cached = this.#cached;
    if (ddl.length === cached.ddl.length && ddl.every((text, index) => text === cached.ddl[index]))
      return cached.schema;
    const trees = new Map(allDdl.map(({ text }) => [text, this.#treeOf(text)]));
    this.#ddlTrees = trees;
    const statements = ddl.map(text => trees.get(text)).filter(tree => tree !== undefined);
    this.#cached = { ddl, schema: this.#schema.after(statements) };
    return this.#cached.schema;
  }

  #treeOf(text: string): Stmt | undefined {
    return this.#ddlTrees.has(text) ? this.#ddlTrees.get(text) : parseStatement(text).ast;
  }

  #ddlStatements(): DdlStatement[] {
    const document = this.#document;
    const { text } = document;
    const statements: DdlStatement[] = [];
    for (let number = 0; number < document.count; number++) {
      const { start, end } = document.at(number)!;
      ddlKeyword.lastIndex = start;
      if (ddlKeyword.test(text)) statements.push({ number, text: detachedCopy(text.slice(start, end)) });
    }
    return statements;
  }
}

/** V8 implements a slice as a view of the whole document. A cached slice would keep every version of the document alive. */
const detachedCopy = (text: string): string => ` ${text}`.slice(1);
