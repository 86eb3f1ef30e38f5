import { randomUUID } from 'node:crypto';
import type { Profile } from '../../model/profiles.ts';
import type { Run } from '../../model/results/run.ts';
import type { WriteKey } from '../../model/results/writeKey.ts';
import type {
  Comparison,
  GridColumn,
  PlanStepView,
  ProjectPartView,
  ProvenIndexView,
  ResultAction,
  ResultView,
  RowWindow,
  SearchProgress,
} from '../../protocol/results.ts';
import type { BrowseView } from '../../protocol/browsing.ts';
import type { TextRange } from '../../sql/text/textRange.ts';
import type { SqlParameter } from '../../wire/values.ts';

/** The properties of a project that are shown beside its rows. */
export type ShownProject = Pick<Profile, 'id' | 'name' | 'protection' | 'color'>;

/** The statement's range in its document. It follows edits while the document holds the statement as it was run. */
export interface StatementOrigin extends TextRange {
  readonly uri: string;
  readonly isUnchanged: boolean;
}

/** An error that the service found in a statement, and the part of the statement that it concerns. */
export interface StatementFault extends TextRange {
  readonly message: string;
  readonly code: string;
}

export interface LogLine {
  readonly statement: string;
  /** Undefined when the document was gone before the statement ran. */
  readonly origin: StatementOrigin | undefined;
  /** The part of the statement that its error concerns. */
  readonly errorRange: TextRange | undefined;
}

/** The statement or table whose rows a result shows. */
export interface ResultSubject {
  readonly profile: ShownProject;
  readonly statement: string;
  /** The title of its tab; the statement unless set. */
  readonly title?: string;
  /** Describes its first chart. */
  readonly chartLine?: string;
  /** The table that INSERT statements of its rows name. */
  readonly table?: string;
  readonly origin?: StatementOrigin;
  /** The steps of a query plan, which is shown in place of rows. */
  readonly plan?: readonly PlanStepView[];
  /** The indexes that would make the plan cheaper. */
  readonly provenIndexes?: ProvenIndexes;
  /** The statements of a script log, in the order of its rows. */
  readonly log?: readonly LogLine[];
  /** The column whose cells lead elsewhere. */
  readonly link?: { readonly column: number } & Pick<GridColumn, 'leadsTo'>;
  /** Set if the rows are the differences of two sources. */
  readonly comparison?: () => Comparison;
  /** Set if the rows are cells that a search found. */
  readonly search?: () => SearchProgress;
  /** The state of a browsed table beyond its rows. */
  readonly browsing?: () => BrowseView;
  /** The ids and pending edits of `count` rows from `start` on. */
  readonly edits?: (start: number, count: number) => Promise<Pick<RowWindow, 'ids' | 'edits'>>;
  /** Goes where the link of the row leads, or opens the row that the foreign key in a cell refers to. */
  readonly follow?: (row: number, column: number) => Promise<void>;
  /** The values of its `?`. Undefined if they are not known. */
  readonly params?: readonly SqlParameter[];
  /** Finds the part of the statement that an error concerns. Undefined for errors with another cause. */
  readonly faultOf?: (error: unknown, message: string) => StatementFault | undefined;
  /** The effect of a statement that changes no rows, such as "Table pets created". */
  readonly doneText?: string;
  /** Set on a restored result whose values were not saved. Running it again asks for them. */
  readonly lacksValues?: boolean;
  /** Set if several projects answer. */
  readonly projects?: ResultProjects;
  /** Settles when the result is of no more use. Then its tab closes, unless it is pinned or in an editor. */
  readonly ended?: Promise<void>;
  /**
   * In an editor, the new result takes its place. With the key of an unknown write, the service repeats its answer or runs it
   * now.
   */
  readonly rerun?: (from: Result, writeKey?: WriteKey) => Promise<void>;
}

interface ProvenIndexes {
  readonly get: () => readonly ProvenIndexView[];
  /** Why SQLite does not use existing indexes. */
  readonly unused: () => readonly string[];
  /** Returns whether the index was created. */
  readonly create: (index: number) => Promise<boolean>;
}

interface ResultProjects {
  readonly ids: readonly string[];
  readonly parts: () => readonly ProjectPartView[];
  /** Absent on a restored result. */
  readonly act?: (action: ResultAction, index: number) => unknown;
}

export interface Result {
  readonly id: string;
  readonly run: Run;
  readonly subject: ResultSubject;
  /** The name of its tab. Undefined for a browsed table. */
  readonly title?: string;
  readonly history?: ResultHistory;
}

/** The result and the column that a menu names. Without them, the result is the one that the user looked at last. */
export interface GroupArgument {
  readonly result: Result;
  readonly column: number;
}

/** The result before this one, and whether the window restored it. */
export type ResultHistory = Pick<ResultView, 'isRestoring' | 'restoredFrom' | 'formerRunId'>;

export const newResult = (run: Run, subject: ResultSubject): Result => ({ id: randomUUID(), run, subject });

/** The table name for export and copy formats that want one. */
export const tableOf = ({ subject }: Result): string => subject.table ?? 'result';
