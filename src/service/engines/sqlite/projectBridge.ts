/**
 * The bridge between the service and a process that serves projects. Both ends use these types. A call with wrong parameters does not
 * compile, nor does a method or message without a handler.
 */
import { extname } from 'node:path';
import type { CallAnswer, CallOf, CallTypes, NoParams } from '../../../base/callTable.ts';
import type { ProjectRecord } from '../../../wire/answers.ts';
import type { TableColumn } from '../../../wire/projectAnswers.ts';
import type { ServiceFault } from '../../../wire/serviceError.ts';
import type { Column } from '../../../wire/values.ts';
import type { CountOutcome, EnginePage, SqlCall } from '../../engine.ts';
import { bytesBody, type Channel, emptyBody, structuredBody, uint32 } from './channel.ts';

/** The methods of a process. Rows come in messages of their own, before the answer. */
export interface ProjectMethods {
  /** Makes a missing database. */
  readonly open: CallTypes<NoParams, Value<undefined>>;
  readonly execute: CallTypes<StatementParams, Rows | CountOutcome>;
  /** Stores the key of a call whose process ended before the answer. */
  readonly claim: CallTypes<StatementParams, Value<undefined>>;
  readonly browse: CallTypes<EnginePage, Rows>;
  readonly listTables: CallTypes<NoParams, Value<readonly string[]>>;
  readonly schema: CallTypes<{ readonly table: string }, Value<readonly TableColumn[]>>;
  readonly vacuum: CallTypes<NoParams, Value<undefined>>;
  readonly integrityCheck: CallTypes<NoParams, Value<readonly string[]>>;
  readonly export: CallTypes<{ readonly file: string; readonly mark: ProjectRecord | undefined }, Value<undefined>>;
  /** Makes a sound copy of a file that can replace the project's database, which is closed. */
  readonly prepareImport: CallTypes<{ readonly file: string; readonly copy: string }, Value<undefined>>;
  /** Turns a backup into the project's database, and gives the project. */
  readonly unmarkBackup: CallTypes<NoParams, Value<ProjectRecord>>;
}

interface StatementParams extends Omit<SqlCall, 'signal'> {
  /** Milliseconds since the epoch, by the service's clock. */
  readonly now: number;
}

export interface Value<T> {
  readonly kind: 'value';
  readonly value: T;
}

export interface Rows {
  readonly kind: 'rows';
  readonly columns: readonly Column[];
}

export type ProjectMethod = keyof ProjectMethods;
export type ProjectRequest<M extends ProjectMethod = ProjectMethod> = CallOf<ProjectMethods, M>;

export type ProjectReply =
  | CallAnswer<ProjectMethods>
  | { readonly kind: 'refused'; readonly fault: Omit<ServiceFault, 'excerpt'> }
  /** An unforeseen failure, for the log and not for the caller. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The call was not begun, because another project has the thread for itself. */
  | { readonly kind: 'moved' };

/** The messages `serve`, `end` and `drop` have the number of a place instead of a call. */
export const toProcess = {
  /** The process serves another project. */
  serve: structuredBody<ProjectSettings>(),
  call: structuredBody<PlacedRequest>(),
  /** How many more bytes of rows the process may send for a call. */
  credit: uint32,
  /** Nobody waits for the call. */
  cancel: emptyBody,
  /** The process finishes the writes of the project, closes its database and forgets it. */
  end: emptyBody,
  /** The project is used in another process. This one forgets its pending writes and keys, and sends its open rows. */
  drop: emptyBody,
  /** Projects that had to leave a blocked process are dropped. The others may have turns again. */
  share: emptyBody,
};

interface PlacedRequest {
  readonly place: number;
  readonly request: ProjectRequest;
}

export const toService = {
  rows: bytesBody,
  /** The rows that follow are those of a replayed call. */
  replayed: emptyBody,
  /** The write whose rows follow is committed. */
  committed: emptyBody,
  /** The answer of a call, and its end. */
  reply: structuredBody<ProjectReply>(),
  /** The process has closed the project of this place. */
  ended: emptyBody,
  /** The answer to `share`. */
  shared: emptyBody,
};

export const toWatchdog = {
  /** Ends the process if the call runs. */
  stop: emptyBody,
};

/** From the watchdog to the service. */
export const fromWatchdog = {
  /** The watchdog ends the process because of the call. */
  stopped: structuredBody<BrokenLimit>(),
  /**
   * The project of this place blocks the thread. The others have done nothing but what the process has reported in its first
   * messages, as many as the body says, and begin nothing.
   */
  blocked: structuredBody<number>(),
};

/** The limit that a statement has exceeded. A cancelled statement has no time left. */
export type BrokenLimit = 'time' | 'memory';

export interface WatchdogData {
  /** The memory of the `RunningCall`. */
  readonly memory: SharedArrayBuffer;
  readonly maxMegabytes: number;
}

export type ServiceEnd = Channel<typeof toService, typeof toProcess>;
export type ProcessEnd = Channel<typeof toProcess, typeof toService>;

/** How many bytes of rows a process may send ahead of their reader. */
export const rowCreditBytes = 256 * 1024;

/** The file descriptors of the pipes of a process. */
export const pipeFiles = { calls: 3, watchdog: 4 } as const;

/** The argument that a process is started with, as JSON. */
export interface ProcessLimits {
  /** How long a statement may run. */
  readonly statementMs: number;
  /** How much memory the process may take for statements. */
  readonly maxMegabytes: number;
}

export interface ProjectSettings extends ProcessLimits {
  readonly file: string;
  /** The file of the replay records. */
  readonly records: string;
  readonly synchronous: Synchronous;
}

/** How surely a commit is on the disk when it is acknowledged. With NORMAL, a power failure may undo the last commits. */
export type Synchronous = 'FULL' | 'NORMAL';

/** The entry point `name` in the folder of this file: TypeScript in the source, a bundle in the build. */
export function entryBeside(url: string, name: string): URL {
  return new URL(`${name}${extname(url)}`, url);
}
