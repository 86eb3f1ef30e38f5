import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  arrayOf,
  asBoolean,
  asCount,
  asString,
  firstOf,
  type Infer,
  object,
  oneOf,
  optional,
  orUndefined,
  parseJson,
  withDefault,
} from '../../base/decode.ts';
import type { Disposable } from '../../base/disposable.ts';
import { decodeStoredValue } from '../../protocol/editValues.ts';
import { decodeSourceOptions, decodeTarget } from './importOptions.ts';
import { lockFile } from '../lockFile.ts';
import { replaceFile } from '../replaceFile.ts';
import { isJournal, journalFile, journalNames } from './journalFiles.ts';
import { decodeFingerprint } from './sourceFile.ts';
import { firstPlace } from './sourceRow.ts';

/** A text that is not valid UTF-8. */
const decodeRawText = object({ kind: oneOf(['rawText']), hex: asString });

export const decodePlace = object({
  /** The rows before it, without the header. */
  rows: asCount,
  line: asCount,
  /** The bytes before it. 0 for a database file and a table. */
  bytes: asCount,
  /** The key of the row before it, in a table that has one. */
  key: optional(arrayOf(firstOf(decodeRawText, decodeStoredValue), 2000)),
});

const decodePiece = object({
  first: asCount,
  count: asCount,
});
export type Piece = Infer<typeof decodePiece>;

/** A batch as it was sent. It can be sent again even if its source table has changed. */
const decodeSavedBatch = object({
  /** Each row as a list of its values. */
  json: arrayOf(asString),
  lines: arrayOf(asCount),
  /** The places of values that may be bytes. */
  blobs: arrayOf(asCount),
  /** The rows as they are written in the source, if they were read before. */
  texts: optional(arrayOf(asString)),
  end: decodePlace,
});
export type SavedBatch = Infer<typeof decodeSavedBatch>;

const decodePending = object({
  /** The number of rows of the file in the batch, with the unreadable ones. */
  rows: asCount,
  /** Pieces of the batch that have no answer yet. The first one may have been sent. */
  pieces: arrayOf(decodePiece),
  /** The number of idempotency keys that the first piece has had. A piece that was certainly refused gets a new key. */
  attempt: asCount,
  /** The earliest time at which the first piece may have been sent, in milliseconds since the epoch. */
  since: asCount,
  /** Set only if the rows may differ when they are read again, or if they have waited. */
  batch: orUndefined(decodeSavedBatch),
  /** The number of the attempt to write the rows that have waited. Absent for other batches. */
  round: optional(asCount),
});
export type PendingBatch = Infer<typeof decodePending>;

const decodeCounts = object({
  /** Rows that the service took. */
  sentRows: asCount,
  changedRows: asCount,
  rejectedRows: asCount,
});

const decodeProject = object({
  profileId: asString,
  name: asString,
  baseUrl: asString,
  projectId: asString,
});

const decodeFileSource = object({
  path: asString,
  name: asString,
  /** Whether the file is a copy that goes with the import. */
  isCopy: asBoolean,
  fingerprint: decodeFingerprint,
  options: decodeSourceOptions,
});
export type FileSource = Infer<typeof decodeFileSource>;

const decodeTableSource = object({
  name: asString,
  project: decodeProject,
  table: asString,
  columns: arrayOf(asString, 2000),
  /** The columns by which rows are read in order. Empty for a table without a key. */
  key: arrayOf(object({ name: asString, collation: asString }), 2000),
  rowCount: asCount,
});
export type TableSource = Infer<typeof decodeTableSource>;

const importWorks = ['import', 'copy', 'generate'] as const;
export type ImportWork = (typeof importWorks)[number];

const decodePlan = object({
  id: asString,
  work: withDefault(oneOf(importWorks), 'import'),
  project: decodeProject,
  source: firstOf(decodeFileSource, decodeTableSource),
  target: decodeTarget,
  stopsAtRejection: asBoolean,
  /** Statements that run after the last row, such as those of triggers. */
  finish: withDefault(arrayOf(asString, 1000), []),
});

export const isFileSource = (source: FileSource | TableSource): source is FileSource => 'path' in source;

/** The choices of the user for an import. They never change. */
export type ImportPlan = Infer<typeof decodePlan>;

/** A row that was refused because of its reference to the same table. */
const decodeWaitingRow = object({
  json: asString,
  line: asCount,
  text: asString,
  message: asString,
});
export type WaitingRow = Infer<typeof decodeWaitingRow>;

const decodeProgress = object({
  /** The place after the last row whose outcome is known. */
  place: decodePlace,
  pending: orUndefined(decodePending),
  counts: decodeCounts,
  rejectedBytes: asCount,
  /** Rows before the place that wait until later rows are written. */
  waiting: optional(arrayOf(decodeWaitingRow)),
  rounds: optional(asCount),
  /** Whether the user wants to go on, however many rows in a row are rejected. */
  goesOn: optional(asBoolean),
});

export type ImportProgress = Infer<typeof decodeProgress>;

export const firstProgress: ImportProgress = {
  place: firstPlace,
  pending: undefined,
  counts: { sentRows: 0, changedRows: 0, rejectedRows: 0 },
  rejectedBytes: 0,
};

const decodeJournal = object({ version: asCount, plan: decodePlan, progress: decodeProgress });

const version = 1;

/** How far an import has come, written before each call. After a fault, the call in flight is sent again with its key. */
export function importJournal(folder: string, plan: ImportPlan) {
  const { id, source } = plan;
  const file = journalFile(folder, id);
  return {
    write: (progress: ImportProgress): Promise<void> => replaceFile(file, JSON.stringify({ version, plan, progress })),
    /** Removes the journal, and the copy of the source if there is one. The rejected rows stay. */
    async remove(): Promise<void> {
      await rm(file, { force: true });
      if (isFileSource(source) && source.isCopy) await rm(source.path, { force: true });
    },
  };
}

export const lockImport = (folder: string, id: string): Promise<Disposable | undefined> =>
  lockFile(join(folder, `${id}.lock`));

/** In a folder of its own, so that its tab can have the name of the source. */
export function rejectedFile(folder: string, { id, source }: Pick<ImportPlan, 'id' | 'source'>): string {
  const name = source.name.replace(/\.\w+$/, '').replaceAll(/[^\p{L}\p{N}_]+/gu, ' ');
  return join(folder, id, `${name.trim().slice(0, 60)} rejected.csv`);
}

/** The imports in a folder that have not ended. A journal that cannot be read is left alone. */
export async function unfinishedImports(folder: string): Promise<Infer<typeof decodeJournal>[]> {
  const journals: Infer<typeof decodeJournal>[] = [];
  for (const name of await journalNames(folder)) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    const journal = decodeJournal(parseJson(text));
    if (journal?.version === version) journals.push(journal);
  }
  return journals;
}

/** Rejected rows are kept this long, in milliseconds. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

/** Removes old files of imports that have ended: rejected rows, and what a killed window left behind. */
export async function removeOldFiles(folder: string, now: number): Promise<void> {
  const unfinished = await unfinishedImports(folder);
  const isInUse = (file: string): boolean =>
    isJournal(file) ||
    unfinished.some(({ plan }) => (isFileSource(plan.source) && plan.source.path === file) || file.includes(plan.id));
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    if (isInUse(file)) continue;
    const changedMs = await stat(file).then(
      stats => stats.mtimeMs,
      () => now,
    );
    if (now - changedMs > maxAgeMs) await rm(file, { force: true, recursive: true });
  }
}
