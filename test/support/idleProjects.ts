/** Many projects that were used once, and what a service holds of them: just after, and when their time is over. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteEngine } from '../../src/service/engines/sqlite/sqliteEngine.ts';
import { HandClock } from './handClock.ts';

export async function openIdleProjects<T>(
  count: number,
  measure: (pids: readonly number[]) => T,
): Promise<{ warm: T; idle: T }> {
  const folder = await mkdtemp(join(tmpdir(), 'projects-'));
  const clock = new HandClock();
  const others = new Set(childrenOf(process.pid));
  const children = (): number[] => childrenOf(process.pid).filter(pid => !others.has(pid));
  const engine = new SqliteEngine(folder, { clock });
  try {
    for (let i = 0; i < count; i++) await engine.execute(`p${i}`, { sql: 'CREATE TABLE t (a)', params: [] });
    const warm = measure([process.pid, ...children()]);
    clock.advance(60_000);
    while (children().length > 0) await new Promise(setImmediate);
    return { warm, idle: measure([process.pid]) };
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
