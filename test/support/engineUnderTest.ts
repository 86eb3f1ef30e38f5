/**
 * Where the tests of the contract run: on the local service with SQLite files, or on the Worker that a platform of Durable
 * Objects runs. The files of test/service/engines/ set it before they import the tests.
 */
export type Stage = 'sqlite' | 'worker';

const variable = 'SERVICE_ENGINE';

export const stage = (): Stage => (process.env[variable] as Stage | undefined) ?? 'sqlite';

/** Whether the service reads HTTP itself. For the Worker, the platform does it. */
export const hasOwnListener = (): boolean => stage() === 'sqlite';

export function runOn(chosen: Stage): void {
  process.env[variable] = chosen;
}
