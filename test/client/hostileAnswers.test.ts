import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerReader } from '../../src/client/answerReader.ts';
import { type Client, type ProjectError, systemClock } from '../../src/client/index.ts';
import { Redactor } from '../../src/client/redactor.ts';
import { answerLimits, maxRestBytes, restLimits } from '../../src/wire/answerLimits.ts';
import { codeOf } from '../support/codeOf.ts';
import { assertBelow, assertWithin, cpuMs, longestTurnMs } from '../support/cpuTime.ts';
import { HandClock } from '../support/handClock.ts';
import { everyCut, readRows, scannerOf } from '../support/scanChunks.ts';
import { type Answer, rejection, reply, startScriptedServer, testClient } from '../support/scriptedServer.ts';

const { maxDepth, maxValues, maxBlanks } = answerLimits;
const megabyte = 2 ** 20;

const arrays = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number): string => `${'{"z":'.repeat(depth)}1${'}'.repeat(depth)}`;

// A row is one level deep, and so is the answer itself.
for (const [what, document, code, rowCount] of [
  ['a row of arrays', `{"rows":[{"a":1},{"a":${arrays(maxDepth - 1)}}]}`, undefined, 2],
  ['a row of too many arrays', `{"rows":[{"a":1},{"a":${arrays(maxDepth)}}]}`, 'protocol/answer_too_deep', 1],
  ['a row of objects', `{"rows":[{"a":1},${objects(maxDepth)}]}`, undefined, 2],
  ['a row of too many objects', `{"rows":[{"a":1},${objects(maxDepth + 1)}]}`, 'protocol/answer_too_deep', 1],
  ['a key after the rows', `{"rows":[{"a":1}],"z":${arrays(maxDepth - 1)}}`, undefined, 1],
  ['too deep a key after the rows', `{"rows":[{"a":1}],"z":${arrays(maxDepth)}}`, 'protocol/answer_too_deep', 1],
  ['brackets in a string', `{"rows":[{"a":1},{"a":"${'['.repeat(2 * maxDepth)}"}]}`, undefined, 2],
] as const) {
  test(`Limits: ${what} is ${code === undefined ? 'read' : 'refused, after the rows before it'}`, async () => {
    for (const chunks of everyCut(document)) {
      const decoded = await readRows(scannerOf(chunks));
      const raw = scannerOf(chunks);
      const batches = await Array.fromAsync(raw.rawBatches());
      const rawCount = batches.reduce((sum, batch) => sum + batch.rowCount, 0);
      const codes = [decoded.fault, raw.err()].map(fault => fault && codeOf(fault));
      assert.deepEqual(codes, [code, code], `cut after ${chunks[0]?.length} bytes`);
      assert.deepEqual(decoded.rows[0], { a: 1 });
      assert.deepEqual([decoded.rows.length, rawCount], [rowCount, rowCount]);
    }
  });
}

test('Limits: too deep a key before the rows is refused', async () => {
  const { fault } = await readRows(scannerOf([Buffer.from(`{"z":${arrays(maxDepth)},"rows":[{"a":1}]}`)]));
  assert.equal(codeOf(fault), 'protocol/answer_too_deep');
});

/** The text in chunks as a socket gives them. */
function chunksOf(text: string): Uint8Array[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, nth) =>
    bytes.subarray(nth * 65_536, (nth + 1) * 65_536),
  );
}

const list = (length: number): string => `[${Array.from({ length }, (_, n) => n).join(',')}]`;

test('Limits: a row and the rest of an answer hold values up to their limits', async () => {
  const many = Array.from({ length: maxValues }, (_, n) => n);
  const allowed = await readRows(scannerOf(chunksOf(`{"rows":[{"a":${list(maxValues)}},{"a":2}]}`)));
  assert.deepEqual(allowed, { rows: [{ a: many }, { a: 2 }], fault: undefined });
  for (const [document, rows] of [
    [`{"rows":[{"a":1},{"a":${list(maxValues + 1)}}]}`, [{ a: 1 }]],
    [`{"rows":[{"a":1}],"z":${list(restLimits.maxValues)}}`, [{ a: 1 }]],
    [`{"z":${list(restLimits.maxValues)},"rows":[{"a":1}]}`, []],
    [`{"rows":[{"a":1},{"a":[${'[],'.repeat(maxValues / 2)}[]]}]}`, [{ a: 1 }]],
  ] as const) {
    const refused = await readRows(scannerOf(chunksOf(document)));
    assert.deepEqual(refused.rows, rows);
    assert.equal(codeOf(refused.fault), 'protocol/answer_too_large');
  }
});

test('Limits: blanks between tokens end somewhere, blanks in a string do not', async () => {
  const blank = ' '.repeat(maxBlanks);
  const some = blank.slice(1);
  const fine = `${some}{"rows":${some}[${some}{"a":${some}1}${some},${some}{"a":"${blank}${blank}"}${some}]${some}}${some}`;
  assert.deepEqual(await readRows(scannerOf(chunksOf(fine))), {
    rows: [{ a: 1 }, { a: blank + blank }],
    fault: undefined,
  });
  for (const [document, rows] of [
    [`${blank} {"rows":[{"a":1}]}`, []],
    [`{"rows":${blank} [{"a":1}]}`, []],
    [`{"rows":[${blank} {"a":1}]}`, []],
    [`{"rows":[{"a":${blank} 1}]}`, []],
    [`{"rows":[{"a":1}${blank} ,{"a":2}]}`, [{ a: 1 }]],
    [`{"rows":[{"a":1},${blank} {"a":2}]}`, [{ a: 1 }]],
    [`{"rows":[{"a":1}]${blank} }`, [{ a: 1 }]],
    [`{"rows":[{"a":1}]}${blank} `, [{ a: 1 }]],
  ] as const) {
    const refused = await readRows(scannerOf(chunksOf(document)));
    assert.deepEqual(refused.rows, rows, document.replaceAll(blank, '…'));
    assert.equal(codeOf(refused.fault), 'protocol/too_many_blanks', document.replaceAll(blank, '…'));
  }
});

/** The chunks of an endless text after a beginning. They share their memory. */
function* endless(beginning: string, repeated: string): Generator<Uint8Array> {
  yield Buffer.from(beginning);
  const chunk = Buffer.from(repeated.repeat(65_536 / repeated.length));
  for (;;) yield chunk;
}

const brackets = ['{"z":', '['] as const;
const flatArray = ['{"rows":[{"a":[', '1,'] as const;
const manyKeys = ['{"z":1', ',"":1'] as const;
const longText = ['{"z":"', 'x'] as const;
const blankRows = ['{"rows":[', ' '] as const;

for (const [what, [beginning, repeated], code] of [
  ['brackets', brackets, 'protocol/answer_too_deep'],
  ['nested arrays in a row', ['{"rows":[{"a":', '['], 'protocol/answer_too_deep'],
  ['nested objects in a row', ['{"rows":[', '{"":'], 'protocol/answer_too_deep'],
  ['a flat array in a row', flatArray, 'protocol/answer_too_large'],
  ['a row of many keys', ['{"rows":[{"a":1', ',"":1'], 'protocol/answer_too_large'],
  ['an answer of many keys', manyKeys, 'protocol/answer_too_large'],
  ['columns', ['{"columns":[{"name":"a"}', ',{"name":"a"}'], 'protocol/answer_too_large'],
  ['a column with a long name', ['{"columns":[{"name":"', 'x'], 'protocol/answer_too_large'],
  ['blanks before the answer', ['', ' '], 'protocol/too_many_blanks'],
  ['blanks instead of rows', blankRows, 'protocol/too_many_blanks'],
  ['line breaks in a row', ['{"rows":[{', '\n'], 'protocol/too_many_blanks'],
] as const) {
  test(`Limits: reading ends early at ${what} without end`, async () => {
    for (const way of ['batches', 'rawBatches'] as const) {
      const scanner = scannerOf(endless(beginning, repeated));
      assert.deepEqual(await Array.fromAsync<unknown>(scanner[way]()), []);
      assert.equal(codeOf(scanner.err()), code);
      assert.ok(scanner.bytesRead < maxRestBytes + megabyte, `${scanner.bytesRead} bytes`);
    }
  });
}

/** Sends a text without end, as fast as the reader takes it. */
const sendEndless =
  ([beginning, repeated]: readonly [string, string]): Answer =>
  response => {
    const chunks = endless(beginning, repeated);
    const send = (): void => {
      while (response.write(chunks.next().value)) if (response.destroyed) return;
    };
    response.on('drain', send);
    send();
  };

test('Limits: every call refuses an endless answer', async () => {
  const calls: ((client: Client) => Promise<unknown>)[] = [
    client => client.execSql('p', { sql: 'SELECT 1' }),
    client => client.browseRows('p', 't'),
    client => client.listTables('p'),
    client => client.commit('p'),
  ];
  for (const [body, code] of [
    [brackets, 'answer_too_deep'],
    [flatArray, 'answer_too_large'],
    [manyKeys, 'answer_too_large'],
    [longText, 'answer_too_large'],
    [blankRows, 'too_many_blanks'],
  ] as const) {
    await using server = await startScriptedServer(sendEndless(body));
    await using client = testClient(server);
    for (const call of calls) assert.equal(codeOf(await rejection(call(client))), `protocol/${code}`);
    await using small = testClient(server, { maxRowBytes: megabyte });
    for (const call of calls) assert.equal(codeOf(await rejection(call(small))), `protocol/${code}`);
    assert.equal(server.requests.length, 2 * calls.length);
  }
});

test('Limits: endless rows are refused where all rows are held, and are read where they are not', async () => {
  await using server = await startScriptedServer(sendEndless(['{"rows":[{}', ',{}']));
  await using client = testClient(server, { maxRowBytes: megabyte });
  assert.equal(codeOf(await rejection(client.browseRows('p', 't'))), 'protocol/answer_too_large');
  assert.equal(codeOf(await rejection(client.execSql('p', { sql: 'SELECT 1' }))), 'protocol/answer_too_large');
  await using scanner = await client.execSqlStream('p', { sql: 'SELECT 1' });
  let rowCount = 0;
  for await (const batch of scanner.batches()) if ((rowCount += batch.length) > 4 * megabyte) break;
  assert.equal(scanner.err(), undefined);
});

test('Limits: a call may have a lower limit for its answer', async () => {
  const limit = { maxAnswerBytes: megabyte };
  const select = { sql: 'SELECT 1' };
  for (const body of [
    ['{"rows":[{"a":1}', ',{"a":1}'],
    ['{"rows":[{"a":"', 'x'],
  ] as const) {
    await using server = await startScriptedServer(sendEndless(body));
    await using client = testClient(server);
    const calls = [
      client.execSql('p', select, limit),
      client.project('p').query('SELECT 1', [], { decode: () => 1, ...limit }),
    ];
    for (const call of calls) {
      const { code, message } = (await rejection(call)) as ProjectError;
      assert.equal(code, 'answer_too_large');
      assert.match(message, /larger than the 1048576 bytes held at once/);
    }
    const fault = await rejection(client.execSql('p', select, { maxAnswerBytes: 0 }));
    assert.equal(codeOf(fault), 'misuse/invalid_option');
  }
  await using server = await startScriptedServer(reply(`{"rows":[${'{"a":1},'.repeat(16_000)}{"a":1}]}`));
  await using client = testClient(server);
  assert.equal((await client.execSql('p', select, limit)).rows.length, 16_001);
});

test('Limits: empty rows and objects end a call long before they fill the memory', async () => {
  for (const [beginning, repeated, maxBytes] of [
    ['{"rows":[{}', ',{}', megabyte],
    ['{"rows":[{}', ',{ }', 1.5 * megabyte],
    ['{"rows":[{"a":[]}', `,{"a":[${'{},'.repeat(30)}{}]}`, 2 * megabyte],
  ] as const) {
    let bytesRead = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (const chunk of endless(beginning, repeated)) {
        bytesRead += chunk.length;
        yield chunk;
      }
    }
    const reader = new AnswerReader({
      maxRowBytes: 64 * megabyte,
      exactIntegers: true,
      rowTimeout: 0,
      clock: systemClock,
    });
    const answer = {
      status: 200,
      headers: {},
      chunks: counted(),
      destroy: () => {},
      redactor: new Redactor([]),
      bodyFault: (thrown: unknown) => thrown as Error,
      onRowsRead: () => {},
    };
    assert.equal(codeOf(await rejection(reader.wholeAnswer(answer))), 'protocol/answer_too_large');
    assert.ok(bytesRead < maxBytes, `${bytesRead} bytes`);
  }
});

test('Limits: a text of 32 MB is one row like any other', async () => {
  const text = 'é'.repeat(16 * megabyte);
  const { rows, fault } = await readRows(scannerOf(chunksOf(`{"rows":[{"a":"${text}"},{"a":1}],"ok":true}`)));
  assert.equal(fault, undefined);
  assert.ok(rows[0]?.['a'] === text);
  assert.deepEqual(rows[1], { a: 1 });
});

for (const way of ['rawBatches', 'batches'] as const) {
  test(`Limits: a first row full of escapes does not block other work, read with ${way}()`, async () => {
    const row = `{"a":"${String.raw`\"`.repeat(16 * megabyte)}"}`;
    const chunks = chunksOf(`{"rows":[${row}],"ok":true}`);
    await assertWithin(40, async () => {
      // Decoding a row is one call, which may take a turn of its own.
      const decodeMs = way === 'batches' ? cpuMs(() => JSON.parse(row)) : 0;
      const turnMs = await longestTurnMs(async () => {
        let batchCount = 0;
        for await (const _ of scannerOf(chunks)[way]()) batchCount++;
        assert.equal(batchCount, 1);
      });
      return turnMs - decodeMs;
    });
  });
}

test('Limits: a name full of escapes blocks other work not much longer than the engine takes to parse it', async () => {
  const row = `{"${String.raw`\"`.repeat(16 * megabyte)}":1}`;
  const chunks = chunksOf(`{"rows":[${row}],"ok":true}`);
  // Checking the row, finding the end of the name and decoding it took four times as long together.
  await assertBelow(2.5, async () => {
    const parseMs = cpuMs(() => JSON.parse(row));
    const turnMs = await longestTurnMs(async () => {
      const [first] = (await readRows(scannerOf(chunks))).rows;
      assert.equal(Object.keys(first ?? {})[0]?.length, 16 * megabyte);
    });
    return turnMs / parseMs;
  });
});

/** Sends bytes of one row without end. */
const trickle: Answer = response => {
  response.write('{"rows":[{"a":"');
  const timer = setInterval(() => {
    if (response.destroyed) clearInterval(timer);
    else response.write('x');
  }, 5);
};

test('rowTimeout: bytes of an unfinished row do not prolong a stream or a call', async () => {
  await using server = await startScriptedServer(trickle);
  await using client = testClient(server, { rowTimeout: 200 });
  const scanner = await client.execSqlStream('p', { sql: 'SELECT 1' });
  assert.deepEqual(await Array.fromAsync(scanner), []);
  assert.equal(codeOf(scanner.err()), 'transport/row_timeout');
  assert.equal(codeOf(await rejection(client.listTables('p'))), 'transport/row_timeout');
  await using patient = testClient(server);
  const fault = await rejection(patient.execSql('p', { sql: 'INSERT' }, { rowTimeout: 200 }));
  assert.equal(codeOf(fault), 'transport/row_timeout');
  assert.equal(codeOf(await rejection(patient.execSql('p', { sql: '' }, { rowTimeout: -1 }))), 'misuse/invalid_option');
});

test('rowTimeout: only the time in which the reader waits counts', async () => {
  const clock = new HandClock();
  const resumed = Promise.withResolvers<void>();
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"rows":[{"a":1}');
    yield Buffer.from(',{"a":2');
    await resumed.promise;
  }
  const scanner = scannerOf(body(), { rowTimeout: 1000, clock });
  assert.equal(await scanner.next({}), true);
  clock.advance(5000);
  const waiting = scanner.next({});
  clock.advance(999);
  assert.equal(scanner.err(), undefined);
  clock.advance(1);
  assert.equal(codeOf(scanner.err()), 'transport/row_timeout');
  resumed.resolve();
  assert.equal(await waiting, false);
});

test('Limits: rows of many small arrays count as the memory that they take', async () => {
  const row = `{"a":[${'[],'.repeat(10_000)}[]]}`;
  await using server = await startScriptedServer(reply(`{"rows":[${Array(60).fill(row).join(',')}],"ok":true}`));
  await using client = testClient(server, { maxRowBytes: 8 * megabyte });
  assert.equal(codeOf(await rejection(client.execSql('p', { sql: 'SELECT 1' }))), 'protocol/answer_too_large');
});

test('Limits: an integer of very many digits is refused, in a row and beside the rows', async () => {
  const digits = '9'.repeat(100_000);
  for (const [body, code] of [
    [`{"rows":[{"a":1},{"a":${digits}}],"ok":true}`, 'protocol/invalid_json'],
    [`{"rows":[],"limit":${digits},"ok":true}`, 'protocol/answer_too_large'],
  ] as const) {
    await using server = await startScriptedServer(reply(body));
    await using client = testClient(server);
    assert.equal(codeOf(await rejection(client.execSql('p', { sql: 'SELECT 1' }))), code);
  }
});
