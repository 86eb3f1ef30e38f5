import type { DatabaseSync } from 'node:sqlite';
import type { Connection } from './connection.ts';

/** SQLite takes the mark for a number of pages to be cached: few enough to harm nobody who opens the file. */
const firstMark = 1000;
const marks = 8000;

/** What a connection caches, in SQLite's usual measure, whatever the mark says. */
export const ownCache = 'PRAGMA cache_size = -2000';
/** For a database whose past is none of the service's. */
export const unmarked = 'PRAGMA default_cache_size = 0';

/**
 * The generation of records that a project's database was last committed with. It is a number in the file's header that
 * SQLite keeps for the suggested size of the cache, which nobody suggests any more: part of a transaction like any row,
 * and in no table that a tenant sees. Marks come round after a while, so one is read by the last generation there is.
 */
export class CommitMark {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Marks the transaction that is open. */
  write(generation: number): void {
    const mark = firstMark + (generation % marks);
    this.#run(database => database.exec(`PRAGMA default_cache_size = ${mark}; ${ownCache}`));
  }

  /** The newest generation up to the last that the database can have been committed with; 0 when it never had one. */
  read(last: number): number {
    const sql = 'PRAGMA default_cache_size';
    const mark = Number(this.#run(database => database.prepare(sql).get())?.['cache_size']) - firstMark;
    if (!(mark >= 0 && mark < marks)) return 0;
    const generation = last - ((((last - mark) % marks) + marks) % marks);
    // Where the records are those of an earlier time, or lost, the database is ahead of them.
    return generation >= 0 ? generation : generation + marks;
  }

  #run<T>(run: (database: DatabaseSync) => T): T {
    return this.#connection.attempt(() => this.#connection.trusted(run));
  }
}

/** Generations after which a commit must be on the disk for sure, so that a power cut never undoes a whole round of marks. */
export const isHalfRound = (generation: number): boolean => generation % (marks / 2) === 0;
