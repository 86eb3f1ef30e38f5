import { assertNever } from '../../../base/assertNever.ts';
import type { CallAnswer, CallOf, CallParams } from '../../../base/callTable.ts';
import { asProjectError, messageOf } from '../../../base/errors.ts';
import {
  type FromRowsThread,
  maxUnreadPieces,
  type RowsSnapshot,
  type RowsThreadCalls,
  type SharedSpool,
  type ToRowsThread,
} from './rowsThreadCalls.ts';
import { arrange } from './arrange.ts';
import { compareRows } from './comparison/compareRows.ts';
import { CellReader } from './cellReader.ts';
import { Finder } from './find.ts';
import { Cancelled, Job } from './job.ts';
import { RowsFile, type ShownRows, scanShown } from './rowsFile.ts';
import { writeSqliteFile } from './sqliteFile.ts';
import { summarize } from './summarize.ts';
import { countValues } from './values.ts';
import { ByteWriter } from './formats/byteWriter.ts';
import { formatOf } from './formats/format.ts';
import { joinRanges, RowCells } from './formats/rowCells.ts';
import type { TextRequest } from '../rowQueries.ts';

type Post = (message: FromRowsThread, transfer?: readonly ArrayBuffer[]) => void;

interface CallContext {
  readonly job: Job;
  readonly file: RowsFile;
  readonly finder: Finder;
  readonly cells: CellReader;
  readonly shown: ShownRows;
  /** Resolves when the next piece may be sent. */
  readonly sendPiece: (bytes: Uint8Array<ArrayBuffer>, rowCount?: number) => Promise<void>;
  /** Gives the file of another spool to some work. */
  readonly withFile: <T>(spoolId: number, work: (file: RowsFile) => Promise<T>) => Promise<T>;
}

type CallHandlers = {
  readonly [M in keyof RowsThreadCalls]: (
    context: CallContext,
    params: CallParams<RowsThreadCalls, M>,
  ) => Promise<CallAnswer<RowsThreadCalls, M>>;
};

const handlers: CallHandlers = {
  rows: async ({ cells }, { place, columns }) => cells.rows(place, columns),
  cell: async ({ cells }, { place, columns, column, maxLength }) => cells.cell(place, columns, column, maxLength),
  arrange: ({ job, file }, { arrangement, rows }) => arrange(job, file, arrangement, rows.rowCount),
  find: ({ job, finder, shown }, { step, rows }) => finder.find(job, shown, rows.rowCount, step),
  summarize: ({ job, file, shown }, { ranges }) => summarize(job, file, shown, ranges),
  values: ({ job, file }, { arrangement, query, rows }) => countValues(job, file, arrangement, query, rows.rowCount),
  text: (context, { request }) => writeText(context, request),
  writeSqliteFile: ({ job, file, shown }, { request }) => writeSqliteFile(job, file, shown, request),
  compare: ({ job, file, sendPiece: send, withFile }, { rows, after, request: { plan, letterColumns } }) =>
    withFile(after.spoolId, other => {
      other.update(after.rows.extent, after.rows.columns);
      const before = { file, rowCount: rows.rowCount, letterColumn: letterColumns[0] };
      const later = { file: other, rowCount: after.rows.rowCount, letterColumn: letterColumns[1] };
      return compareRows({ job, before, after: later, plan, send });
    }),
};

const handle = <M extends keyof RowsThreadCalls>(
  context: CallContext,
  { method, params }: CallOf<RowsThreadCalls, M>,
): Promise<CallAnswer<RowsThreadCalls, M>> => handlers[method](context, params);

type CallMessage = Extract<ToRowsThread, { readonly kind: 'call' }>;

interface RunningCall {
  readonly job: Job;
  readonly pieces: PieceAllowance;
}

/** Answers the calls of the window. Calls take turns, so that a long one does not block the others. */
export class RowQueryServer {
  readonly #post: Post;
  readonly #spools = new Map<number, OpenSpool>();
  readonly #runningCalls = new Map<number, RunningCall>();

  constructor(post: Post) {
    this.#post = post;
  }

  receive(message: ToRowsThread): void {
    switch (message.kind) {
      case 'openSpool':
        this.#spools.set(message.spool.id, new OpenSpool(message.spool));
        return;
      case 'closeSpool':
        this.#spools.get(message.spoolId)?.close();
        this.#spools.delete(message.spoolId);
        return;
      case 'call':
        void this.#serve(message);
        return;
      case 'cancel':
        this.#runningCalls.get(message.id)?.job.cancel();
        this.#runningCalls.get(message.id)?.pieces.add();
        return;
      case 'pieceRead':
        this.#runningCalls.get(message.id)?.pieces.add();
        return;
      default:
        assertNever(message);
    }
  }

  async #serve(message: CallMessage): Promise<void> {
    const { id } = message;
    const running: RunningCall = {
      job: new Job(done => this.#post({ kind: 'progress', id, done })),
      pieces: new PieceAllowance(),
    };
    this.#runningCalls.set(id, running);
    try {
      this.#post({ kind: 'answer', id, value: await this.#answer(message, running) });
    } catch (thrown) {
      if (thrown instanceof Cancelled) return;
      this.#post({ kind: 'failure', id, code: codeOf(thrown), message: messageOf(thrown) });
    } finally {
      this.#runningCalls.delete(id);
    }
  }

  async #answer(
    { id, spoolId, call }: CallMessage,
    { job, pieces }: RunningCall,
  ): Promise<CallAnswer<RowsThreadCalls>> {
    // Wait a turn first: then a call that is cancelled immediately costs nothing.
    await job.turn();
    return this.#openSpool(spoolId).use(job, ({ file, finder, cells }) => {
      const snapshot = 'rows' in call.params ? call.params.rows : undefined;
      if (snapshot) file.update(snapshot.extent, snapshot.columns);
      const sendPiece: CallContext['sendPiece'] = async (bytes, rowCount = 0) => {
        await pieces.take();
        await job.turn();
        this.#post({ kind: 'piece', id, piece: { bytes, rowCount } }, [bytes.buffer]);
      };
      const withFile: CallContext['withFile'] = (otherId, work) =>
        this.#openSpool(otherId).use(job, open => work(open.file));
      return handle({ job, file, finder, cells, shown: shownRows(snapshot), sendPiece, withFile }, call);
    });
  }

  #openSpool(spoolId: number): OpenSpool {
    const spool = this.#spools.get(spoolId);
    if (!spool) throw new Cancelled();
    return spool;
  }
}

interface OpenSpoolFile {
  readonly file: RowsFile;
  readonly finder: Finder;
  readonly cells: CellReader;
}

/** A spool that calls use. Its file is opened with the first call, and closed when the last one has ended. */
class OpenSpool {
  readonly #spool: SharedSpool;
  readonly #jobs = new Set<Job>();
  #open: OpenSpoolFile | undefined;
  #isClosed = false;

  constructor(spool: SharedSpool) {
    this.#spool = spool;
  }

  async use<T>(job: Job, work: (open: OpenSpoolFile) => Promise<T>): Promise<T> {
    this.#jobs.add(job);
    try {
      this.#open ??= openFile(this.#spool);
      return await work(this.#open);
    } finally {
      this.#jobs.delete(job);
      this.#closeFileIfUnused();
    }
  }

  /** Cancels the calls that still use the file. */
  close(): void {
    this.#isClosed = true;
    for (const job of this.#jobs) job.cancel();
    this.#closeFileIfUnused();
  }

  #closeFileIfUnused(): void {
    if (!this.#isClosed || this.#jobs.size > 0) return;
    this.#open?.file.close();
    this.#open = undefined;
  }
}

function openFile({ file: path, memory }: SharedSpool): OpenSpoolFile {
  const file = new RowsFile(path, memory);
  return { file, finder: new Finder(file), cells: new CellReader(file) };
}

class PieceAllowance {
  readonly #waiting: (() => void)[] = [];
  #available = maxUnreadPieces;

  async take(): Promise<void> {
    if (this.#available > 0) this.#available--;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
  }

  add(): void {
    const resolve = this.#waiting.shift();
    if (resolve) resolve();
    else this.#available++;
  }
}

function shownRows(snapshot: RowsSnapshot | undefined): ShownRows {
  const { orderVersion = 0, rowCount = 0, arranged } = snapshot ?? {};
  const rows = arranged && new Uint32Array(arranged.order);
  const starts = arranged && new Uint32Array(arranged.starts);
  return { orderVersion, rowCount: rows?.length ?? rowCount, rows, starts };
}

/** The code of one of our errors, or of an error of the system. */
function codeOf(thrown: unknown): string {
  const ownCode = asProjectError(thrown)?.code;
  if (ownCode !== undefined) return ownCode;
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'internal';
}

const pieceBytes = 256 * 1024;

/** Writes rows as text in the order shown, no faster than the window reads it. */
async function writeText({ job, file, shown, sendPiece }: CallContext, request: TextRequest): Promise<void> {
  const ranges = joinRanges(request.ranges, shown.rowCount, file.columns.length);
  const totalRows = ranges.reduce((sum, { firstRow, endRow }) => sum + endRow - firstRow, 0);
  const oneCell = totalRows === 1 && ranges[0]?.columns.length === 1 && !request.headers;
  const width = ranges.reduce((least, { columns }) => Math.min(least, columns.length), ranges[0]?.columns.length ?? 0);
  const format = formatOf(request.format, { ...request, oneCell, width });
  const writer = new ByteWriter();
  const sendFullPiece = (): Promise<void> | undefined =>
    writer.length < pieceBytes ? undefined : sendPiece(writer.take());
  format.begin?.(writer);
  let writtenRows = 0;
  let columnsBefore = '';
  for (const { firstRow, endRow, columns } of ranges) {
    const { walker, slots } = file.createWalker(columns);
    const named = columns.map(column => file.columns[column]!);
    const cells = new RowCells(named, slots, walker, areAll(columns, file.columns.length));
    if (columns.join(' ') !== columnsBefore) format.header?.(writer, cells);
    columnsBefore = columns.join(' ');
    const onRow = (_row: number, start: number, past: number): void => {
      cells.start = start;
      cells.past = past;
      format.row(writer, cells);
    };
    const writtenBefore = writtenRows;
    writtenRows += endRow - firstRow;
    const share = [writtenBefore / totalRows, writtenRows / totalRows] as const;
    await scanShown(job, file, shown, { walker, firstRow, endRow, onRow, afterBlock: sendFullPiece, share });
  }
  format.end?.(writer);
  if (writer.length > 0) await sendPiece(writer.take());
}

const areAll = (columns: readonly number[], count: number): boolean =>
  columns.length === count && columns.every((column, nth) => column === nth);
