/** Runs the statements it is sent on an engine, in a process of its own. The argument is the engine's folder. */
import { ServiceError } from '../../src/wire/serviceError.ts';
import { SqliteEngine } from '../../src/service/engines/sqlite/sqliteEngine.ts';
import type { HostAnswer, HostCall } from './engineHostProcess.ts';
import { sqlCall } from './testEngine.ts';

const engine = new SqliteEngine(process.argv[2] ?? '');

async function answer({ number, sql, ...call }: HostCall): Promise<HostAnswer> {
  try {
    const { kind, replayed } = await engine.execute('project', sqlCall(sql, call));
    return { number, code: kind, replayed };
  } catch (thrown) {
    return { number, code: thrown instanceof ServiceError ? thrown.code : String(thrown), replayed: false };
  }
}

process.on('message', (call: HostCall) => void answer(call).then(reply => process.send?.(reply)));
