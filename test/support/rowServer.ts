/**
 * A service in its own process, for benches and huge answers. A statement is the number of rows of its answer. They have
 * eight columns, or twenty when "wide" follows. It reports how often a reader made it wait.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const rowsPerBlock = 5000;
const cities = ['Lisbon', 'Nairobi', 'Kyoto', 'Quito', 'Oslo', 'Almaty', 'Hobart'];
const blocks: Buffer[] = [];
const wideBlocks: Buffer[] = [];

function rowText(id: number, wide: boolean): string {
  const name = `Customer number ${id}`;
  const active = id % 3 !== 0;
  const note = id % 5 === 0 ? null : `ordered "${id % 40}" times; last seen on day ${id % 365}`;
  const score = (id * 7919) % 100_003;
  const row = {
    id,
    name,
    email: `c${id}@example.com`,
    city: cities[id % 7],
    active,
    score: score / 64,
    age: 18 + (id % 70),
    note,
  };
  return JSON.stringify(wide ? { ...row, ...moreColumns(id) } : row);
}

function moreColumns(id: number): Record<string, number | string> {
  return Object.fromEntries(
    Array.from({ length: 12 }, (_, nth) => [`column_${nth}`, nth % 2 === 0 ? `value ${id % 1000}` : id * nth]),
  );
}

/** Returns a block of rows. A million rows are distinct; beyond that they repeat. */
function blockAt(index: number, wide = false): Buffer {
  const slot = index % 200;
  const cache = wide ? wideBlocks : blocks;
  return (cache[slot] ??= Buffer.from(
    Array.from({ length: rowsPerBlock }, (_, row) => rowText(slot * rowsPerBlock + row, wide)).join(','),
  ));
}

let waits = 0;

/** Resolves when the reader takes more or disconnects. */
function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = (): void => {
    response.off('drain', wake).off('close', wake);
    resolve();
  };
  response.on('drain', wake).on('close', wake);
  return promise;
}

async function answerRows(response: ServerResponse, rowCount: number, wide: boolean): Promise<void> {
  response.setHeader('content-type', 'application/json');
  response.write('{"rows":[');
  const fullBlocks = Math.floor(rowCount / rowsPerBlock);
  for (let index = 0; index < fullBlocks && !response.destroyed; index++) {
    if (index > 0) response.write(',');
    if (!response.write(blockAt(index, wide))) {
      waits++;
      await drained(response);
    }
  }
  const rest = Array.from({ length: rowCount % rowsPerBlock }, (_, row) => rowText(row, wide)).join(',');
  if (!response.destroyed) response.end(`${rest}],"ok":true}`);
}

const server = createServer({ highWaterMark: 1 << 22 }, (request, response) => {
  if (request.url === '/waits') {
    response.end(JSON.stringify({ waits }));
    return;
  }
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { sql } = JSON.parse(body) as { sql: string };
    const [rows = '', width] = sql.split(' ');
    void answerRows(response, Number(rows), width === 'wide');
  });
});
for (let index = 0; index < 200; index++) blockAt(index);
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
