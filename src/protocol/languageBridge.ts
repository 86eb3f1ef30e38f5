import { arrayOf, asCount, asString, type Infer, nullable, object, oneOf, optional } from '../base/decode.ts';

/**
 * The bridge between the extension host and the language server, beside the language server protocol. The server asks for what
 * it needs, so a server that was started anew needs no message from the host.
 */

/** The method of a call or event in the protocol's messages. */
export const languageMethod = (name: string): string => `sqlProjects/${name}`;

const rowCount = object({ table: asString, count: asCount });

/** The server calls these methods of the host. */
export const hostCalls = {
  /** The project of a document. Null if it has none: then the server leaves the document alone. */
  documentProject: {
    params: object({ uri: asString }),
    answer: nullable(object({ id: asString, name: asString })),
  },
  /** The schema of a project: names and DDL only. Null if it is not known yet. */
  projectSchema: {
    params: object({ id: asString }),
    answer: nullable(
      object({
        /** The statements of its sqlite_schema. */
        statements: arrayOf(asString),
        /** The tables whose number of rows is known. */
        rowCounts: arrayOf(rowCount),
      }),
    ),
  },
} as const;

/** The host sends these events to the server. */
export const serverEvents = {
  /** Documents may belong to other projects. */
  documentProjectsChanged: object({}),
  /** The schema of a project is another one. */
  projectSchemaChanged: object({ id: asString }),
  /** The rows of a table of a project were counted. */
  rowsCounted: object({ id: asString, rowCount }),
} as const;

export type KnownRowCount = Infer<typeof rowCount>;
export type ServerEvents = { readonly [Name in keyof typeof serverEvents]: Infer<(typeof serverEvents)[Name]> };

/** The host calls these methods of the server. */
export const serverCalls = {
  /** The columns that the statement at a position has, with their keys. Null if they are not known. */
  resultColumns: {
    params: object({ uri: asString, position: object({ line: asCount, character: asCount }) }),
    answer: nullable(
      object({
        count: asCount,
        /** The first of them. The type is as declared, and empty for an expression. */
        columns: arrayOf(
          object({
            name: asString,
            type: asString,
            /** Whether it is a column of a primary key. */
            isKey: optional(oneOf([true])),
            /** Where a foreign key of it refers to. Without a column, it is the primary key of the table. */
            references: optional(
              object({
                table: asString,
                column: nullable(asString),
                /** The places of all columns of a key of several, in its order. */
                parts: optional(arrayOf(object({ column: asCount, target: nullable(asString) }))),
              }),
            ),
          }),
        ),
      }),
    ),
  },
} as const;

export type ResultColumns = NonNullable<Infer<typeof serverCalls.resultColumns.answer>>;
