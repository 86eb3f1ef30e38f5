import type { Stmt } from 'sqlite3-parser';
import { completionAt, type Completion } from './completion.ts';
import { parseStatement } from '../parser/parser.ts';
import type { Schema } from '../schema/schema.ts';
import type { StatementList } from '../text/statementIndex.ts';

/** What changes a schema, as the beginning of a statement shows it. */
const changesSchema = /(?:create|alter|drop)\b/iy;

/** Completion in a document that is being edited. What its own DDL makes is there for the statements behind it. */
export class DocumentCompletion {
  readonly #document: StatementList;
  readonly #schema: Schema;
  /** Of the DDL in the document, so that an edit costs the parsing of one statement. */
  #trees = new Map<string, Stmt | undefined>();
  #latest: { readonly ddl: readonly string[]; readonly schema: Schema };

  constructor(document: StatementList, schema: Schema) {
    this.#document = document;
    this.#schema = schema;
    this.#latest = { ddl: [], schema };
  }

  at(offset: number): Completion {
    const document = this.#document;
    const { number, start, end } = this.#pieceAround(offset);
    const { proposals, ...range } = completionAt(
      document.slice(start, end),
      offset - start,
      this.#schemaBefore(number),
    );
    return { start: range.start + start, end: range.end + start, proposals };
  }

  /** The statement that `offset` is in, with the space and the comments before it. */
  #pieceAround(offset: number): { number: number; start: number; end: number } {
    const document = this.#document;
    let number = document.firstBehind(offset);
    // Behind a last statement without a semicolon one is still in it.
    if (number > 0 && number === document.count && !document.at(number - 1)!.terminated) number--;
    const start = number === 0 ? 0 : document.at(number - 1)!.end;
    const next = document.at(number);
    return { number, start, end: Math.max(offset, next?.end ?? document.length) };
  }

  #schemaBefore(number: number): Schema {
    const all = this.#ddl();
    const ddl = all.filter(definition => definition.number < number).map(({ text }) => text);
    const { ddl: known, schema } = this.#latest;
    if (ddl.length === known.length && ddl.every((text, index) => text === known[index])) return schema;
    const trees = new Map(all.map(({ text }) => [text, this.#treeOf(text)]));
    this.#trees = trees;
    const statements = ddl.map(text => trees.get(text)).filter(tree => tree !== undefined);
    this.#latest = { ddl, schema: this.#schema.after(statements) };
    return this.#latest.schema;
  }

  #treeOf(text: string): Stmt | undefined {
    return this.#trees.has(text) ? this.#trees.get(text) : parseStatement(text).ast;
  }

  #ddl(): { readonly number: number; readonly text: string }[] {
    const document = this.#document;
    const { text } = document;
    const found: { number: number; text: string }[] = [];
    for (let number = 0; number < document.count; number++) {
      const { start, end } = document.at(number)!;
      changesSchema.lastIndex = start;
      // A slice would keep the whole document as it was with this edit.
      if (changesSchema.test(text)) found.push({ number, text: flatCopy(text.slice(start, end)) });
    }
    return found;
  }
}

const flatCopy = (text: string): string => ` ${text}`.slice(1);
