import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startWorkers } from '../../.dev/workers.ts';
import { Client } from '../../src/client/index.ts';
import type { RateLimit } from '../../src/service/http/rateLimiter.ts';
import { createSampleShop } from '../../src/service/sampleShop.ts';
import { defaultPathPrefix } from '../../src/wire/paths.ts';
import { OwnedChild } from './childProcesses.ts';
import { createProject } from './projectKeys.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { queryWith, type TestService } from './testService.ts';

const adminKey = 'test-admin-key';

/** The Worker on workerd, with the sample project. */
export async function openWorkerdService(
  options: {
    readonly pathPrefix?: string;
    readonly openEnrolment?: boolean;
    readonly rateLimit?: RateLimit | undefined;
  } = {},
): Promise<TestService & AsyncDisposable> {
  await using parts = new AsyncDisposableStack();
  const folder = temporaryFolder();
  const pathPrefix = options.pathPrefix ?? defaultPathPrefix;
  const enrolment = options.openEnrolment === true ? 'open' : '';
  const { perSecond, burst } = options.rateLimit ?? { perSecond: 1_000_000, burst: 1_000_000 };
  const vars = { PATH_PREFIX: pathPrefix, ENROLMENT: enrolment, RATE_LIMIT: `${perSecond}/s:${burst}` };
  const { child, baseUrl } = await startWorkers({ folder, adminKey, vars });
  parts.use(new OwnedChild(child, () => child.kill('SIGTERM')));
  const admin = parts.use(new Client({ baseUrl, pathPrefix, apiKey: adminKey, retries: 0 }));
  const pair = { holderId: 'local', projectName: 'Sample Shop' };
  const { projectId, apiKey } = await createProject(admin, pair);
  const client = parts.use(new Client({ baseUrl, pathPrefix, apiKey, retries: 0 }));
  await fillSample(client, projectId, join(folder, 'sample.sqlite'));
  const started = parts.move();
  const dispose = (): Promise<void> => started.disposeAsync();
  const query = queryWith(client, projectId);
  return { baseUrl, folder, projectId, apiKey, adminKey, client, admin, query, [Symbol.asyncDispose]: dispose };
}

async function fillSample(client: Client, projectId: string, file: string): Promise<void> {
  createSampleShop(file);
  using database = new DatabaseSync(file);
  const objects = database
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .all();
  const run = (sql: string, params: string[] = []) => client.execSql(projectId, { sql, params });
  const inOrder = ['table', 'index', 'trigger', 'view'];
  for (const { type, name, sql } of objects.toSorted(
    (a, b) => inOrder.indexOf(String(a['type'])) - inOrder.indexOf(String(b['type'])),
  )) {
    await run(String(sql));
    if (type !== 'table') continue;
    const names = database
      .prepare(`SELECT name FROM pragma_table_info(?)`)
      .all(name!)
      .map(row => `"${String(row['name'])}"`);
    const jsons = names.map(
      column => `CASE typeof(${column}) WHEN 'blob' THEN json_array(hex(${column})) ELSE ${column} END`,
    );
    const rows = database.prepare(`SELECT json_array(${jsons.join(', ')}) AS json FROM "${String(name)}"`).all();
    const values = names.map(
      (_, nth) =>
        `CASE json_type(value, '$[${nth}]') WHEN 'array' THEN unhex(value ->> '$[${nth}][0]') ELSE value ->> '$[${nth}]' END`,
    );
    for (let at = 0; at < rows.length; at += 5000) {
      const part = rows.slice(at, at + 5000).map(({ json }) => json);
      await run(`INSERT INTO "${String(name)}" (${names.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`, [
        `[${part.join(',')}]`,
      ]);
    }
  }
  await run('ANALYZE');
}
