import type { SQLInputValue } from 'node:sqlite';
import type { ProjectSettings } from '../projectBridge.ts';
import type { Connection, PreparedSql } from './connection.ts';
import { openReaderConnection } from './databaseFile.ts';
import { type BatchSource, RowBatches } from './rowBatches.ts';

/** Unused connections stay open for the next read: opening one takes longer than most reads. */
const maxFreeConnections = 2;

/** Gives each read its own connection, and so its own snapshot. */
export class Readers {
  readonly #settings: ProjectSettings;
  readonly #free: Connection[] = [];
  #isClosed = false;

  constructor(settings: ProjectSettings) {
    this.#settings = settings;
  }

  run<T>(read: (connection: Connection) => T): T {
    const connection = this.#acquire();
    try {
      connection.followSchema();
      return connection.attempt(() => read(connection));
    } finally {
      this.#release(connection);
    }
  }

  /** The rows of this read are taken later. */
  open(prepare: (connection: Connection) => { prepared: PreparedSql; values: SQLInputValue[] }): BatchSource {
    const connection = this.#acquire();
    try {
      connection.followSchema();
      const { prepared, values } = prepare(connection);
      const rows = connection.attempt(() => connection.rows(prepared, values));
      const batches = new RowBatches(rows, () => prepared.statement.columns());
      let isOpen = true;
      const close = (): void => {
        if (!isOpen) return;
        isOpen = false;
        batches.close();
        this.#release(connection);
      };
      const next = (): Uint8Array | undefined => {
        const batch = connection.attempt(() => batches.next(), prepared.sql);
        if (!batch) close();
        return batch;
      };
      return { next, columns: () => batches.columns(), close };
    } catch (thrown) {
      this.#release(connection);
      throw thrown;
    }
  }

  async runLong<T>(read: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = this.#acquire();
    try {
      return await read(connection);
    } finally {
      this.#release(connection);
    }
  }

  /** Connections in use close when they are released. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#free.splice(0)) connection.close();
  }

  #acquire(): Connection {
    return this.#free.pop() ?? openReaderConnection(this.#settings);
  }

  #release(connection: Connection): void {
    if (!this.#isClosed && this.#free.length < maxFreeConnections) this.#free.push(connection);
    else connection.close();
  }
}
