import { createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { systemClock } from '../../base/clock.ts';
import type { ProjectRecord } from '../../wire/answers.ts';
import { ProjectProcess } from '../engines/sqlite/projectProcess.ts';
import { keyMatcher } from './keys.ts';

/**
 * The beginning of a backup's seal. The seal follows the database, where SQLite reads nothing and no tenant's statement writes.
 * It proves that a service with the secret of the data folder made the file as it is. It does not prove that the backup is the
 * newest one, or that its data are harmless.
 */
const sealStart = '\nsql-project-backup ';
/** The seal ends with 32 bytes as hexadecimal digits. */
const sealBytes = sealStart.length + 64;

/** Adds the seal, and waits until the file is on the disk. */
export async function sealBackup(file: string, secret: string): Promise<void> {
  await using handle = await open(file, 'a');
  await handle.write(await sealOf(file, secret));
  await handle.sync();
}

export async function isSealed(file: string, secret: string): Promise<boolean> {
  await using handle = await open(file);
  const length = (await handle.stat()).size - sealBytes;
  if (length <= 0) return false;
  const { buffer } = await handle.read({ buffer: Buffer.alloc(sealBytes), position: length });
  return keyMatcher(await sealOf(file, secret, length))(buffer.toString('latin1'));
}

async function sealOf(file: string, secret: string, length = Infinity): Promise<string> {
  const hmac = createHmac('sha256', secret);
  for await (const chunk of createReadStream(file, { end: length - 1 })) hmac.update(chunk as Buffer);
  return sealStart + hmac.digest('hex');
}

/** How long reading the mark may take. It is in a few pages of the file. */
const markMs = 30_000;

/** Turns a backup into the project's database. Anybody may have made the file, so a process with a time limit reads it. */
export async function unmarkInProcess(file: string): Promise<ProjectRecord> {
  const limits = { statementMs: markMs, maxMegabytes: 2048 };
  const process = new ProjectProcess(limits, systemClock);
  const place = process.serve(
    { file, records: `${file}.calls`, synchronous: 'FULL', ...limits },
    { clock: systemClock, readerMs: markMs, onIdle() {} },
  );
  try {
    return (await place.call({ method: 'unmarkBackup', params: {} })).value;
  } finally {
    await process.end();
  }
}
