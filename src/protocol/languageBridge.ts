import {
  arrayOf,
  asBoolean,
  asCount,
  asString,
  type Decoder,
  type Infer,
  nullable,
  object,
  oneOf,
  optional,
  orUndefined,
} from '../base/decode.ts';
import {
  type AnswerOf,
  type Handlers,
  type Listeners,
  type MethodTable,
  type ParamsOf,
  serveMethods,
  type ServedMethods,
} from './bridge.ts';

/**
 * The bridge between the extension host and the language server, beside the language server protocol. The server asks
 * for what it needs, so a restarted server needs no message.
 */

/** The method of a call or event in the protocol's messages. */
export const languageMethod = (name: string): string => `sqlProjects/${name}`;

const rowCount = object({ table: asString, count: asCount });
/** A row of sqlite_stat1. */
export const decodeStatisticsRow = object({ tbl: asString, idx: nullable(asString), stat: asString });
const planLine = object({ detail: asString, depth: asCount });

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
        /** Tables without a known number of rows are left out. */
        rowCounts: arrayOf(rowCount),
      }),
    ),
  },
  /** The values of a column of a small table, each with the text beside it. Empty if the table is large or cannot be read. */
  lookupValues: {
    params: object({ id: asString, table: asString, column: asString, textColumn: nullable(asString) }),
    answer: arrayOf(object({ value: asString, text: asString })),
  },
} as const;

/** The host sends these events to the server. */
export const serverEvents = {
  /** Documents may belong to other projects. */
  documentProjectsChanged: object({}),
  /** The schema of a project is another one. */
  projectSchemaChanged: object({ id: asString }),
  rowsCounted: object({ id: asString, rowCount }),
} as const;

export type KnownRowCount = Infer<typeof rowCount>;

/** The host calls these methods of the server. */
export const serverCalls = {
  /** The result columns of the statement at a position. Null if they are not known. */
  resultColumns: {
    params: object({ uri: asString, position: object({ line: asCount, character: asCount }) }),
    answer: nullable(
      object({
        count: asCount,
        /** The first columns. `type` is as declared, and empty for an expression. */
        columns: arrayOf(
          object({
            name: asString,
            type: asString,
            isKey: optional(oneOf([true])),
            /** The target of the column's foreign key. Without a column, the target is the primary key of the table. */
            references: optional(
              object({
                table: asString,
                column: orUndefined(asString),
                /** All columns of a key of several, in the order of the key, by their places in the result. */
                parts: optional(arrayOf(object({ column: asCount, target: orUndefined(asString) }))),
              }),
            ),
          }),
        ),
      }),
    ),
  },
  /** The indexes that would help a statement of a project, and the existing ones that do not. */
  provenIndexes: {
    params: object({
      project: asString,
      statement: asString,
      isChange: asBoolean,
      lines: arrayOf(planLine),
      statistics: arrayOf(decodeStatisticsRow),
      rowCounts: arrayOf(rowCount),
    }),
    answer: nullable(
      object({
        indexes: arrayOf(object({ sql: asString, lines: arrayOf(planLine) })),
        /** Existing indexes that SQLite would use without a part of a condition of the statement. */
        unused: arrayOf(
          object({
            index: asString,
            kind: oneOf(['expression', 'collation', 'affinity', 'like', 'or']),
            start: asCount,
            end: asCount,
          }),
        ),
      }),
    ),
  },
} as const;

export type ProvenIndexesRequest = ParamsOf<typeof serverCalls.provenIndexes>;
export type ProvenIndexes = NonNullable<Infer<typeof serverCalls.provenIndexes.answer>>;
export type UnusedIndex = ProvenIndexes['unused'][number];
export type ResultColumns = NonNullable<Infer<typeof serverCalls.resultColumns.answer>>;

/** An end of the connection: the language client of the host, or the connection of the server. */
interface ConnectionEnd {
  sendRequest(method: string, params: unknown): Promise<unknown>;
  sendNotification(method: string, payload: unknown): Promise<void>;
  onRequest(method: string, answer: (params: unknown) => unknown): unknown;
  onNotification(method: string, listener: (payload: unknown) => void): unknown;
}

/** Undefined if the answer cannot be decoded. */
export async function sendCall<M extends MethodTable, Name extends keyof M & string>(
  end: Pick<ConnectionEnd, 'sendRequest'>,
  methods: M,
  name: Name,
  params: ParamsOf<M[Name]>,
): Promise<AnswerOf<M[Name]> | undefined> {
  const answer = await end.sendRequest(languageMethod(name), params);
  return methods[name]?.answer?.(answer) as AnswerOf<M[Name]> | undefined;
}

export function answerCalls<M extends MethodTable>(
  end: Pick<ConnectionEnd, 'onRequest'>,
  methods: M,
  handlers: Handlers<M>,
): void {
  const served: ServedMethods = serveMethods(methods, handlers);
  for (const [name, answer] of Object.entries(served)) {
    end.onRequest(languageMethod(name), params => answer(params, new AbortController().signal));
  }
}

export async function sendEvent<Name extends keyof typeof serverEvents>(
  end: Pick<ConnectionEnd, 'sendNotification'>,
  name: Name,
  payload: Infer<(typeof serverEvents)[Name]>,
): Promise<void> {
  await end.sendNotification(languageMethod(name), payload);
}

/** Ignores an event that cannot be decoded. */
export function listenTo(end: Pick<ConnectionEnd, 'onNotification'>, listeners: Listeners<typeof serverEvents>): void {
  for (const [name, decode] of Object.entries<Decoder<unknown>>(serverEvents)) {
    const listener = listeners[name as keyof typeof serverEvents] as (payload: unknown) => void;
    end.onNotification(languageMethod(name), payload => {
      const event = decode(payload);
      if (event !== undefined) listener(event);
    });
  }
}

/**
 * The arguments of the language server's process, most of whose memory is garbage after one use.
 *
 * - A larger young generation would take some thirty megabytes more and save no time.
 * - Without the limit of its growth, the heap would wait for twice its live size before a collection: sixty megabytes more
 *   after some hundred edits.
 * - V8 takes sixty megabytes and a second to optimize the largest function of the parser, and the process keeps much of that
 *   memory. The first optimization of that function, by another compiler, is as fast.
 * - Each thread of V8 keeps memory of its own. Two are enough for one server.
 */
export const languageServerArguments: readonly string[] = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=30',
  '--max-optimized-bytecode-size=10000',
  '--v8-pool-size=2',
];
