import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asProjectError, messageOf } from '../../base/errors.ts';
import {
  encodeKeeperFile,
  type KeeperAnswer,
  keeperFileName,
  keptDataFolder,
  type KeeperStart,
} from '../../wire/keeper.ts';
import { lockFile } from '../fileLock.ts';
import { requireOwnFolder } from '../ownFolder.ts';
import { KeptService } from './keptService.ts';
import { Leases } from './leases.ts';

// The keeper: one process for each folder, which runs the local service while a window holds on to it. It is nobody's
// child for long: the window that started it may be closed while others still use the service.

/** How long the window that started this may take to take hold, in milliseconds. */
const patience = 10_000;

/** How long another keeper, which may be about to end, is waited for, in milliseconds. */
const endingTime = 1000;

async function keep(folder: string, script: string): Promise<void> {
  requireOwnFolder(folder);
  const lock = lockFile(join(folder, 'keeper.sqlite'), endingTime);
  if (!lock) {
    tell({ outcome: 'taken' });
    return;
  }
  const service = new KeptService({ script, folder: join(folder, keptDataFolder) });
  const token = randomBytes(32).toString('base64url');
  const leases = new Leases({ token, answer: () => answerOf(service), onLastGone: () => void end() });
  const file = join(folder, keeperFileName);
  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    rmSync(file, { force: true });
    leases.close();
    await service.end();
    lock.dispose();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
  try {
    announce(file, encodeKeeperFile({ port: await leases.listen(), token }));
  } catch (thrown) {
    // Who listens goes on, whatever is thrown, and would keep the folder from the next one.
    leases.close();
    lock.dispose();
    throw thrown;
  }
  tell({ outcome: 'ready' });
  setTimeout(() => leases.count === 0 && void end(), patience);
}

function announce(file: string, content: string): void {
  // Renamed into place, so that nobody ever reads half of it.
  const whole = `${file}.${process.pid}`;
  try {
    writeFileSync(whole, content, { mode: 0o600 });
    renameSync(whole, file);
  } catch (thrown) {
    rmSync(whole, { force: true });
    throw thrown;
  }
}

async function answerOf(service: KeptService): Promise<string> {
  const answer: KeeperAnswer = await service.needed().then(
    baseUrl => ({ baseUrl }),
    (thrown: unknown) => faultOf(thrown),
  );
  return JSON.stringify(answer);
}

const faultOf = (thrown: unknown) => ({
  code: asProjectError(thrown)?.code ?? 'local_service_failed',
  message: messageOf(thrown),
});

function tell(start: KeeperStart): void {
  console.log(JSON.stringify(start));
}

const [folder = '', script = ''] = process.argv.slice(2);
keep(folder, script).catch((thrown: unknown) => {
  tell({ outcome: 'failed', ...faultOf(thrown) });
  process.exitCode = 1;
});
