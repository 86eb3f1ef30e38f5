import { readFile } from 'node:fs/promises';
import { serviceCodes } from '../../wire/serviceError.ts';
import type { EngineUsage } from '../engine.ts';
import type { CallNotes } from '../http/callNotes.ts';
import type { Space } from './folderSpace.ts';
import { Counter, gauge, Histogram } from './prometheus.ts';

/** In seconds: from a fast read to the time limit of a statement. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Values that are read when the metrics are requested. */
interface CurrentState {
  readonly usage: EngineUsage;
  readonly openCalls: number;
  readonly connections: number;
  readonly maxConnections: number;
  readonly isDraining: boolean;
  readonly space: Space;
}

/**
 * The values of labels are routes, statuses and error codes, which the interface fixes. Nothing names a project, and nothing
 * comes from a caller.
 */
export class ServiceMetrics {
  readonly #readState: () => Promise<CurrentState>;
  readonly #calls = new Counter('sql_service_calls_total', 'Calls by route and status.');
  readonly #seconds = new Histogram('sql_service_answer_seconds', 'Time from a call to the beginning of its answer.', {
    label: 'route',
    bounds,
  });
  readonly #errors = new Counter('sql_service_errors_total', 'Errors in answers, by code.');
  readonly #abandoned = new Counter('sql_service_abandoned_calls_total', 'Calls whose answer was not sent to its end.');
  readonly #sentBytes = new Counter('sql_service_sent_bytes_total', 'Bytes of the bodies of answers.');
  readonly #refusedKeys = new Counter('sql_service_refused_keys_total', 'Calls with a wrong or revoked key.');
  readonly #limited = new Counter('sql_service_rate_limited_calls_total', 'Calls beyond the rate limit.');

  constructor(readState: () => Promise<CurrentState>) {
    this.#readState = readState;
    for (const counter of [this.#abandoned, this.#sentBytes, this.#refusedKeys, this.#limited]) counter.add({}, 0);
  }

  countAnswer({ route, code }: CallNotes, status: number, milliseconds: number): void {
    this.#calls.add({ route, status: String(status) });
    this.#seconds.observe(route, milliseconds / 1000);
    if (code !== undefined) this.countFailure(code);
  }

  countFailure(code: string): void {
    this.#errors.add({ code });
    if (code === serviceCodes.rateLimited) this.#limited.add();
  }

  countEnd(bytes: number, isWhole: boolean): void {
    this.#sentBytes.add({}, bytes);
    if (!isWhole) this.#abandoned.add();
  }

  refusedKey(): void {
    this.#refusedKeys.add();
  }

  async text(): Promise<string> {
    const { usage, openCalls, connections, maxConnections, isDraining, space } = await this.#readState();
    const counters = [this.#calls, this.#seconds, this.#errors, this.#abandoned, this.#sentBytes, this.#refusedKeys];
    return [
      ...[...counters, this.#limited].map(counter => counter.text()),
      gauge('sql_service_open_calls', 'Calls without a complete answer.', openCalls),
      gauge('sql_service_connections', 'Connections of clients.', connections),
      gauge('sql_service_connections_max', 'How many connections there may be.', maxConnections),
      gauge('sql_service_draining', 'Whether the service stops and refuses new calls.', Number(isDraining)),
      ...(await usageText(usage)),
      gauge('sql_service_disk_used_bytes', 'Size of the files in the data folder.', space.usedBytes),
      gauge('sql_service_disk_free_bytes', 'Free space on the disk of the data folder.', space.freeBytes),
      gauge('process_resident_memory_bytes', 'Memory of the service without its projects.', process.memoryUsage.rss()),
      gauge('process_start_time_seconds', 'When the service started.', performance.timeOrigin / 1000),
    ].join('');
  }
}

async function usageText({ processIds, maxProcesses, openStatements }: EngineUsage): Promise<string[]> {
  const sizes = await Promise.all(processIds.map(residentBytes));
  const memory = sizes.reduce((sum, size) => sum + size, 0);
  return [
    gauge('sql_service_project_processes', 'Processes that serve projects.', processIds.length),
    gauge('sql_service_project_processes_max', 'How many processes may serve projects.', maxProcesses),
    gauge('sql_service_project_memory_bytes', 'Memory of the processes of projects; 0 except on Linux.', memory),
    gauge('sql_service_open_statements', 'Statements of projects without a complete answer.', openStatements),
  ];
}

/** 0 for a process that has ended, and on a system without this file. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
}
