import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SqlCall } from '../../src/service/engine.ts';
import { WorkerdEngine, type WorkerdEngineOptions } from '../../src/service/engines/workerd/workerdEngine.ts';
import { findWorkerd } from '../../src/service/engines/workerd/workerdParts.ts';
import { resultOf } from './testEngine.ts';

export interface TestWorkerdEngine {
  readonly engine: WorkerdEngine;
  readonly folder: string;
  /** Rows that a statement changed, or its rows. */
  readonly run: (sql: string, callOptions?: Partial<SqlCall> & { project?: string }) => Promise<unknown>;
}

/** An engine of Durable Objects on a new folder. Both end with the test. */
export function openWorkerdEngine(
  context: { after(end: () => Promise<void>): void },
  options: Omit<WorkerdEngineOptions, 'parts'> = {},
): TestWorkerdEngine {
  const folder = mkdtempSync(join(tmpdir(), 'workerd-engine-'));
  const engine = new WorkerdEngine(folder, { parts: findWorkerd(), ...options });
  context.after(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    engine,
    folder,
    run: async (sql, { project = 'project', ...callOptions } = {}) =>
      resultOf(await engine.execute(project, { sql, params: [], ...callOptions })),
  };
}
