import { assertNever } from '../../../base/assertNever.ts';
import { asProjectError, messageOf } from '../../../base/errors.ts';
import {
  type Answers,
  type AskedRows,
  type FromThread,
  piecesAhead,
  type Question,
  type QuestionName,
  type ToThread,
} from '../queries/messages.ts';
import { arrange } from './arrange.ts';
import { Finder } from './find.ts';
import { Cancelled, Job } from './job.ts';
import { RowsFile } from './rowsFile.ts';
import type { Shown } from './shownRows.ts';
import { writeSqliteFile } from './sqliteFile.ts';
import { summarize } from './summarize.ts';
import { writeText } from './writeText.ts';

type Post = (message: FromThread, transfer?: readonly ArrayBuffer[]) => void;

/** A file that questions are about. It is opened with the first, and closed when the last one has ended. */
interface KnownFile {
  readonly open: () => { readonly file: RowsFile; readonly finder: Finder };
  readonly close: () => void;
  readonly jobs: Set<Job>;
}

interface OpenJob {
  readonly job: Job;
  /** Gives leave to send another piece. */
  more(): void;
  readonly mayPost: () => Promise<void>;
}

interface Work extends Pick<OpenJob, 'job' | 'mayPost'> {
  readonly id: number;
  readonly file: RowsFile;
  readonly finder: Finder;
}

/** Takes questions, has them answered and answers them. */
export class RowsDesk {
  readonly #post: Post;
  readonly #files = new Map<number, KnownFile>();
  readonly #jobs = new Map<number, OpenJob>();

  constructor(post: Post) {
    this.#post = post;
  }

  take(message: ToThread): void {
    switch (message.kind) {
      case 'open':
        this.#files.set(message.spool, knownFile(message.file, message.memory));
        return;
      case 'close':
        this.#close(message.spool);
        return;
      case 'ask':
        void this.#ask(message.id, message.question);
        return;
      case 'cancel':
        this.#jobs.get(message.id)?.job.cancel();
        this.#jobs.get(message.id)?.more();
        return;
      case 'more':
        this.#jobs.get(message.id)?.more();
        return;
      default:
        assertNever(message);
    }
  }

  async #ask(id: number, question: Question): Promise<void> {
    const open = openJob(done => this.#post({ kind: 'progress', id, done }));
    this.#jobs.set(id, open);
    try {
      this.#post({ kind: 'answer', id, value: await this.#answer(id, open, question) });
    } catch (thrown) {
      if (thrown instanceof Cancelled) return;
      this.#post({ kind: 'failure', id, code: codeOf(thrown), message: messageOf(thrown) });
    } finally {
      this.#jobs.delete(id);
    }
  }

  async #answer(id: number, { job, mayPost }: OpenJob, question: Question): Promise<Answers[QuestionName]> {
    // The first turn comes later, so that a question which is taken back at once costs nothing.
    await job.turn();
    const { rows } = question.params;
    const known = this.#files.get(rows.spool);
    if (!known) throw new Cancelled();
    known.jobs.add(job);
    try {
      const { file, finder } = known.open();
      file.see(rows.extent, rows.columns);
      return await this.#work({ id, job, mayPost, file, finder }, question);
    } finally {
      known.jobs.delete(job);
      if (this.#files.get(rows.spool) !== known && known.jobs.size === 0) known.close();
    }
  }

  async #work({ id, job, mayPost, file, finder }: Work, { name, params }: Question): Promise<Answers[QuestionName]> {
    const { rows } = params;
    const shown = shownOf(rows);
    switch (name) {
      case 'arrange':
        return arrange(job, file, params.arrangement, rows.rowCount);
      case 'find':
        return finder.find(job, shown, rows.rowCount, params.step);
      case 'summarize':
        return summarize(job, file, shown, params.ranges);
      case 'writeSqliteFile':
        await writeSqliteFile(job, file, shown, params.request);
        return undefined;
      case 'text': {
        const send = async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
          await mayPost();
          await job.turn();
          this.#post({ kind: 'piece', id, bytes }, [bytes.buffer]);
        };
        await writeText({ job, file, shown, send }, params.request);
        return undefined;
      }
    }
  }

  #close(spool: number): void {
    const known = this.#files.get(spool);
    this.#files.delete(spool);
    for (const job of known?.jobs ?? []) job.cancel();
    if (known?.jobs.size === 0) known.close();
  }
}

function knownFile(path: string, memory: SharedArrayBuffer): KnownFile {
  let opened: ReturnType<KnownFile['open']> | undefined;
  return {
    jobs: new Set(),
    open() {
      if (!opened) {
        const file = new RowsFile(path, memory);
        opened = { file, finder: new Finder(file) };
      }
      return opened;
    },
    close() {
      opened?.file.close();
      opened = undefined;
    },
  };
}

function shownOf({ order, rowCount, arranged }: AskedRows): Shown {
  const rows = arranged && new Uint32Array(arranged.order);
  const starts = arranged && new Uint32Array(arranged.starts);
  return { order, rowCount: rows?.length ?? rowCount, rows, starts };
}

function openJob(tell: (done: number) => void): OpenJob {
  let allowed = piecesAhead;
  const waiting: (() => void)[] = [];
  return {
    job: new Job(tell),
    more() {
      const wake = waiting.shift();
      if (wake) wake();
      else allowed++;
    },
    async mayPost() {
      if (allowed > 0) allowed--;
      else await new Promise<void>(resolve => waiting.push(resolve));
    },
  };
}

/** The code of whatever was thrown: ours, or that of the system. */
function codeOf(thrown: unknown): string {
  const ours = asProjectError(thrown)?.code;
  if (ours !== undefined) return ours;
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'internal';
}
