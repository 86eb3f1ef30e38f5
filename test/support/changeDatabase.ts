import { DatabaseSync } from 'node:sqlite';

/** Runs statements on a database file. Makes a missing file. */
export function changeDatabase(file: string, sql: string): void {
  using database = new DatabaseSync(file);
  database.exec(sql);
}
