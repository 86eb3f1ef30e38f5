/** Compares importing a CSV file over HTTP with multi-row INSERT on the bare engine in one process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { runTool } from '../../.dev/command.ts';
import { Client } from '../../src/client/index.ts';
import type { Bench } from '../support/bench.ts';
import type { ImportFigures } from '../support/importBench.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const rowCount = 1_000_000;
const rowsPerInsert = 500;
const names = ['id', 'name', 'mail', 'price', 'day', 'street', 'flag', 'remark'];
const columns =
  'id INTEGER PRIMARY KEY, name TEXT, mail TEXT, price REAL, day TEXT, street TEXT, flag INTEGER, remark TEXT';
const rounds = 2;

export const bench: Bench = async print => {
  if (!runTool('build')) throw new Error('The build failed. Its messages are above.');
  const folder = temporaryFolder();
  const path = join(folder, 'rows.csv');
  await writeRows(path);
  const rows = await readRows(path);
  let bareMs = Infinity;
  let best: ImportFigures | undefined;
  let rss = 0;
  let echo = 0;
  // Both ways take turns, because the machine may be busy for a while. The best time of each counts, and the longest wait of the window.
  for (let round = 0; round < rounds; round++) {
    bareMs = Math.min(bareMs, insertBare(join(folder, `bare-${round}.sqlite`), rows));
    const figures = await importOverHttp(path);
    if (figures.rows !== rowCount) throw new Error(`${figures.rows} rows were imported.`);
    if (!best || figures.milliseconds < best.milliseconds) best = figures;
    rss = Math.max(rss, figures.rssGrowthMb);
    echo = Math.max(echo, figures.echoMaxMs);
  }
  print('rows_per_s', (1000 * rowCount) / best!.milliseconds);
  print('bare_rows_per_s', (1000 * rowCount) / bareMs);
  print('vs_bare', bareMs / best!.milliseconds);
  print('rss_growth_mb', rss);
  print('echo_max_ms', echo);
};

async function writeRows(path: string): Promise<void> {
  const file = createWriteStream(path);
  let text = `${names.join(',')}\n`;
  for (let id = 0; id < rowCount; id++) {
    const mail = `c${id % 1000}@example.com`;
    const day = `2024-0${1 + (id % 9)}-11`;
    const price = ((id * 7919) % 100_000) / 100;
    const street = `"street ${id % 977}, house ""${id % 77}"""`;
    text += `${id},"customer ${id}, of the list",${mail},${price},${day},${street},${id % 2},a remark of some length about row ${id}\n`;
    if (text.length < 1 << 20) continue;
    if (!file.write(text)) await once(file, 'drain');
    text = '';
  }
  file.end(text);
  await once(file, 'close');
}

/** The values of the rows, ready to be bound: the bare engine parses no CSV. */
async function readRows(path: string): Promise<string[][]> {
  const rows: string[][] = [];
  const value = /"((?:[^"]|"")*)"|([^,]*)/y;
  for await (const line of createInterface(createReadStream(path))) {
    const row: string[] = [];
    for (let at = 0; at <= line.length; at = value.lastIndex + 1) {
      value.lastIndex = at;
      const [, quoted, plain] = value.exec(line)!;
      row.push(quoted?.replaceAll('""', '"') ?? plain!);
    }
    rows.push(row);
  }
  return rows.slice(1);
}

function insertBare(file: string, rows: readonly (readonly string[])[]): number {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (${columns})`);
  const places = `(${names.map(() => '?').join(', ')})`;
  const values = Array.from({ length: rowsPerInsert }, () => places).join(', ');
  const insert = database.prepare(`INSERT INTO rows VALUES ${values}`);
  const started = performance.now();
  database.exec('BEGIN');
  for (let at = 0; at < rows.length; at += rowsPerInsert) insert.run(...rows.slice(at, at + rowsPerInsert).flat());
  database.exec('COMMIT');
  // The service copies its log into the database while it imports, so this is a part of the work here, too.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const milliseconds = performance.now() - started;
  database.close();
  return milliseconds;
}

async function importOverHttp(path: string): Promise<ImportFigures> {
  await using service = await ServiceProcess.start('built');
  const { baseUrl, projectId, apiKey } = await service.project();
  const client = new Client({ baseUrl, apiKey });
  await client.execSql(projectId, { sql: `CREATE TABLE rows (${columns})` });
  await client.close();
  const args = [baseUrl, projectId, apiKey, path, 'rows'];
  const child = fork(new URL('../support/importBench.ts', import.meta.url), args);
  const [figures] = (await once(child, 'message')) as [ImportFigures];
  await once(child, 'exit');
  return figures;
}
