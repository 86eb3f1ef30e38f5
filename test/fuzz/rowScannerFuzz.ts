/**
 * Our scanner against two oracles: stream-json's documented pipeline, for the rows before a fault and the verdict, and
 * JSON.parse, for the verdict on the whole. Hostile answers know their rows and their error themselves. `npm run fuzz` runs it
 * for long, with a seed of its own each time, and with a heap of 100 MB.
 */
import assert from 'node:assert/strict';
import { gen, none } from 'stream-chain/core';
import { pick } from 'stream-json/core/filters/pick.js';
import { jsonParser } from 'stream-json/core/parser.js';
import { streamArray } from 'stream-json/core/streamers/stream-array.js';
import { parseExact } from '../../src/wire/exactJson.ts';
import { slowness } from '../support/cpuTime.ts';
import { readRows, scannerOf } from '../support/scanChunks.ts';
import { randomChunks, randomDocument } from './documents.ts';
import { checkHostileAnswer, checkSlowAnswer, FuzzFigures, maxPieceMs, rounded } from './hostileFuzz.ts';
import { type Random, seeded } from './random.ts';

interface Verdict {
  readonly rows: readonly unknown[];
  readonly whole: boolean;
}

const isRow = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a document with stream-json, byte by byte, so that a fault hides no row before it. Numbers are rounded. */
async function byStreamJson(bytes: Buffer): Promise<Verdict> {
  const rows: unknown[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const read = gen(jsonParser(), pick({ filter: 'rows', once: true }), streamArray());
  const take = async (input: string | typeof none): Promise<void> => {
    for await (const { value } of read(input as string)) rows.push(value);
  };
  try {
    for (const byte of bytes) {
      const text = decoder.decode(Uint8Array.of(byte), { stream: true });
      if (text !== '') await take(text);
    }
    decoder.decode();
    await take(none);
    return { rows, whole: true };
  } catch {
    return { rows, whole: false };
  }
}

function byJsonParse(bytes: Buffer): unknown {
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Half of the documents are hostile, and some of these come slowly. */
export async function fuzz(seed: number, count: number): Promise<FuzzFigures> {
  const random = seeded(seed);
  const figures = new FuzzFigures();
  for (let index = 0; index < count; index++) {
    try {
      const choice = random();
      if (choice < 0.5) await checkDocument(random, figures);
      else if (choice < 0.98) await checkHostileAnswer(random, figures);
      else await checkSlowAnswer(random, figures);
    } catch (thrown) {
      throw new Error(`seed ${seed}, document ${index}`, { cause: thrown });
    }
  }
  return figures;
}

async function checkDocument(random: Random, figures: FuzzFigures): Promise<void> {
  const bytes = randomDocument(random);
  const where = bytes.toString('latin1');
  const ours = await readRows(scannerOf(randomChunks(random, bytes)));
  const whole = byJsonParse(bytes);
  const record = isRow(whole) ? (whole as Record<string, unknown>) : undefined;
  const expected = record && Array.isArray(record['rows']) ? record['rows'] : [];
  if (record && expected.every(isRow)) {
    assert.deepEqual(ours.rows, expected, where);
    const isSuccess = Array.isArray(record['rows']) || (record['ok'] === true && (record['rows'] ?? null) === null);
    assert.equal(ours.fault === undefined, isSuccess, where);
  } else {
    assert.ok(ours.fault, where);
    const theirs = await byStreamJson(bytes);
    const wrong = theirs.rows.findIndex(row => !isRow(row));
    const before = wrong === -1 ? theirs.rows : theirs.rows.slice(0, wrong);
    assert.deepEqual(rounded(ours.rows), rounded(before), where);
    assert.ok(!theirs.whole || wrong !== -1 || !record, where);
  }
  figures.bytes += bytes.length;
  figures.count('random document', ours.fault, ours.rows.length);
}

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
  const count = Number(process.argv[3] ?? 100_000);
  console.log(`seed ${seed}, ${count} documents`);
  const start = performance.now();
  const { bytes, rows, kinds, ends, slowestPieceMs, slowestKind, growthMb } = await fuzz(seed, count);
  console.log(`${bytes} bytes, ${rows} rows, ${Math.round((performance.now() - start) / 1000)} s`);
  console.log(`documents: ${listed(kinds)}`);
  console.log(`ends: ${listed(ends)}`);
  console.log(
    `slowest piece: ${slowestPieceMs.toFixed(1)} ms (${slowestKind}); memory: ${growthMb.toFixed(0)} MB more`,
  );
  assert.ok(slowestPieceMs <= maxPieceMs * slowness(), `more than ${maxPieceMs} ms`);
}
