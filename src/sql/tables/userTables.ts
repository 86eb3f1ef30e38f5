/** The table that makes a backup of an exported project. Only the service makes one, so a project has none. */
export const backupMark = '__sql_project_backup__';

/**
 * A condition on the name of an object in `sqlite_schema`. It leaves out those of SQLite itself, and those of a platform of Durable
 * Objects, which keeps its own values in the file of a project and lets no statement read them.
 */
export const isOfUser = (name: string): string =>
  String.raw`${name} NOT LIKE 'sqlite\_%' ESCAPE '\' AND ${name} NOT LIKE '\_cf\_%' ESCAPE '\'`;
