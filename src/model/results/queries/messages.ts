import type { Arrangement, CellRange, FindStep, Found, Summary } from '../../../protocol/rowQueries.ts';
import type { Column } from '../../../wire/values.ts';
import type { SqliteFileRequest, TextRequest } from '../rowQueries.ts';
import type { SpoolExtent } from '../spool.ts';
import type { ArrangedRows } from '../thread/arrange.ts';

/** Between the process of the windows and the thread that works through rows. */

/** The rows that a question is about. */
export interface AskedRows {
  readonly spool: number;
  readonly extent: SpoolExtent;
  readonly columns: readonly Column[];
  /** Rows that count of those that are there. */
  readonly rowCount: number;
  readonly order: number;
  readonly arranged: ArrangedRows | undefined;
}

export interface Questions {
  arrange: { readonly rows: AskedRows; readonly arrangement: Arrangement };
  find: { readonly rows: AskedRows; readonly step: FindStep };
  summarize: { readonly rows: AskedRows; readonly ranges: readonly CellRange[] };
  /** Sends pieces while it lasts. */
  text: { readonly rows: AskedRows; readonly request: TextRequest };
  writeSqliteFile: { readonly rows: AskedRows; readonly request: SqliteFileRequest };
}

export interface Answers {
  arrange: ArrangedRows;
  find: Found;
  summarize: Summary;
  text: undefined;
  writeSqliteFile: undefined;
}

export type QuestionName = keyof Questions;

export type Question = {
  [Name in QuestionName]: { readonly name: Name; readonly params: Questions[Name] };
}[QuestionName];

export type ToThread =
  | {
      readonly kind: 'open';
      readonly spool: number;
      readonly file: string;
      readonly memory: SharedArrayBuffer;
    }
  | { readonly kind: 'close'; readonly spool: number }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'cancel'; readonly id: number }
  /** A piece was read: another one may be sent. */
  | { readonly kind: 'more'; readonly id: number };

export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly value: Answers[QuestionName] }
  | { readonly kind: 'failure'; readonly id: number; readonly code: string; readonly message: string }
  | { readonly kind: 'progress'; readonly id: number; readonly done: number }
  | { readonly kind: 'piece'; readonly id: number; readonly bytes: Uint8Array };

/** Pieces of text that are on their way at most, so that making and reading them overlap. */
export const piecesAhead = 3;
