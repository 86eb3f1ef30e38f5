/**
 * Uses as many projects as its argument says, each once, and reports their memory: right after, and when the projects
 * have been idle for long enough to close.
 */
import { readdirSync } from 'node:fs';
import { SqliteEngine } from '../../src/service/engines/sqlite/sqliteEngine.ts';
import { childrenOf } from './childProcesses.ts';
import { HandClock } from './handClock.ts';
import { memoryOf } from './memoryOf.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { sqlCall } from './testEngine.ts';
import { waitUntil } from './workbench/waitUntil.ts';

export interface Holding {
  readonly processes: number;
  /** In megabytes. */
  readonly memory: number;
  readonly files: number;
}

function holding(): Holding {
  const pids = [process.pid, ...childrenOf(process.pid)];
  return {
    processes: pids.length,
    memory: pids.reduce((sum, pid) => sum + memoryOf(pid).shared, 0),
    files: pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0),
  };
}

await using owned = new AsyncDisposableStack();
const folder = temporaryFolder();
const clock = new HandClock();
const engine = new SqliteEngine(folder, { clock });
owned.defer(() => engine.close());
for (let i = 0; i < Number(process.argv[2]); i++) {
  await engine.execute(`project${i}`, sqlCall('CREATE TABLE t (a)'));
}
const warm = holding();
clock.advance(60_000);
await waitUntil(() => childrenOf(process.pid).length === 0, { what: 'processes of idle projects still run' });
process.send?.({ warm, idle: holding() });
process.disconnect();
