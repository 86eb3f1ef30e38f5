/** The table by which an exported database is known as a backup of the service. The service refuses its name to projects. */
export const backupMark = '__sql_project_backup__';

/**
 * A condition on the name of an object in `sqlite_schema`. It leaves out the objects of SQLite (`sqlite_`) and of Cloudflare
 * (`_cf_`). Cloudflare keeps its own values in the database of a Durable Object, and lets no statement read them.
 */
export const isOfUser = (name: string): string =>
  String.raw`${name} NOT LIKE 'sqlite\_%' ESCAPE '\' AND ${name} NOT LIKE '\_cf\_%' ESCAPE '\'`;
