import type { DatabaseSync } from 'node:sqlite';
import type { Connection } from './connection.ts';

/** SQLite takes the mark for a number of pages to cache. These numbers are small enough for any program that opens the file. */
const firstMark = 1000;
const markCount = 8000;

/** Sets a connection's cache to SQLite's default size, whatever the mark says. */
export const normalCacheSize = 'PRAGMA cache_size = -2000';
/** Removes the mark from a database that comes from elsewhere. */
export const removeMark = 'PRAGMA default_cache_size = 0';

/**
 * The generation of replay records at the last commit of a project's database. The mark is in the file's header, in SQLite's
 * obsolete field for the suggested cache size. It is part of a transaction like any row, but in no table that a tenant sees.
 * Marks repeat after `markCount` generations, so they are read with the last known generation.
 */
export class CommitMark {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Marks the open transaction. */
  write(generation: number): void {
    const mark = firstMark + (generation % markCount);
    this.#run(database => database.exec(`PRAGMA default_cache_size = ${mark}; ${normalCacheSize}`));
  }

  /** The newest generation up to `last` that fits the mark. 0 without a mark. */
  read(last: number): number {
    const sql = 'PRAGMA default_cache_size';
    const mark = Number(this.#run(database => database.prepare(sql).get())?.['cache_size']) - firstMark;
    if (!(mark >= 0 && mark < markCount)) return 0;
    const generation = last - ((((last - mark) % markCount) + markCount) % markCount);
    // If the records are lost or older, the database is ahead of them.
    return generation >= 0 ? generation : generation + markCount;
  }

  #run<T>(work: (database: DatabaseSync) => T): T {
    return this.#connection.attempt(() => this.#connection.trusted(work));
  }
}

/** Commits of these generations must be on the disk, so that a power failure never undoes a whole round of marks. */
export const isHalfRound = (generation: number): boolean => generation % (markCount / 2) === 0;
