import { rememberedMs } from '../../../../wire/headers.ts';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import type { Column } from '../../../../wire/values.ts';
import type { ProjectSettings } from '../messages.ts';
import { CommitMark, isHalfRound } from './commitMark.ts';
import type { Connection } from './connection.ts';
import { type GivenAnswer, RecordsFile } from './recordsFile.ts';
import type { WriteOutcome } from './writeQueue.ts';

export interface Once {
  readonly key: string;
  readonly fingerprint: string;
}

const hour = 60 * 60 * 1000;

/**
 * The answers of writes that came with a key. They stand in a file of their own, where no tenant sees them, and count only
 * when the write was committed: a group's answers are on the disk before its commit, under a generation that the
 * commit marks in the project's database. Answers of a generation that is not marked there are forgotten, so that neither a
 * write nor its answer is ever without the other, whenever a process or the power ends.
 */
export class OnceRecords {
  readonly #settings: ProjectSettings;
  readonly #connection: Connection;
  readonly #mark: CommitMark;
  /** Those of the group under way, by their keys. */
  readonly #given = new Map<string, GivenAnswer>();
  #file: RecordsFile | undefined;
  /** The one that file and database agree on; undefined when that is to be found out. */
  #generation: number | undefined;
  #forgotten = -Infinity;
  #halfRound = false;
  #synced = false;

  constructor(settings: ProjectSettings, connection: Connection) {
    this.#settings = settings;
    this.#connection = connection;
    this.#mark = new CommitMark(connection);
  }

  /** The answer that was given for the key before. */
  find({ key, fingerprint }: Once, now: number): WriteOutcome | undefined {
    const found = this.#given.get(key) ?? this.#settled().file.find(key);
    if (!found || found.answeredAt <= now - rememberedMs) return undefined;
    if (found.fingerprint === fingerprint) return outcomeOf(found);
    const message = 'This idempotency key was used for another statement. Take a new key for a new statement.';
    throw new ServiceError({ status: 409, code: serviceCodes.idempotencyConflict, message });
  }

  /** Takes the answer of a write in the group under way. */
  give({ key, fingerprint }: Once, now: number, outcome: WriteOutcome): void {
    const told =
      outcome.kind === 'count'
        ? { rowCount: outcome.rowCount, columns: null, rows: null }
        : { rowCount: null, columns: JSON.stringify(outcome.columns), rows: Buffer.concat(outcome.batches) };
    this.#given.set(key, { key, fingerprint, answeredAt: now, ...told });
  }

  /** Last in the transaction of a group: keeps what was given in it. */
  keep(now: number): void {
    if (this.#given.size === 0) return;
    if (now - this.#forgotten >= hour) {
      this.#settled().file.forgetUntil(now - rememberedMs);
      this.#forgotten = now;
    }
    const { file, generation } = this.#settled();
    // Whether the commit comes about is asked of the database, with the next call.
    this.#generation = undefined;
    file.keep(generation + 1, this.#given.values());
    this.#mark.write(generation + 1);
    this.#halfRound = isHalfRound(generation + 1);
  }

  /** The group is over, committed or not. */
  endGroup(): void {
    this.#given.clear();
    if (this.#settings.synchronous === 'FULL' || this.#synced === this.#halfRound) return;
    // A power cut may undo commits that are not synced, but must not undo so many that their marks come round.
    this.#synced = this.#halfRound;
    const level = this.#synced ? 'FULL' : this.#settings.synchronous;
    this.#connection.trusted(database => database.exec(`PRAGMA synchronous = ${level}`));
  }

  close(): void {
    this.#file?.close();
  }

  #settled(): { file: RecordsFile; generation: number } {
    const file = (this.#file ??= new RecordsFile(this.#settings.records));
    if (this.#generation === undefined) {
      const last = file.last();
      const committed = this.#mark.read(last);
      if (committed !== last) file.goBackTo(committed);
      this.#generation = committed;
    }
    return { file, generation: this.#generation };
  }
}

function outcomeOf({ rowCount, columns, rows }: GivenAnswer): WriteOutcome {
  if (rowCount !== null) return { kind: 'count', rowCount, replayed: true };
  const batches = rows && rows.length > 0 ? [rows] : [];
  return { kind: 'rows', columns: JSON.parse(columns ?? '[]') as Column[], batches, replayed: true };
}
