/** All suites in one extension host. The first one needs a host in which the extension is not active yet. */
import { run as runActivation } from './activation.ts';
import { run as runClosedDocuments } from './closedDocuments.ts';
import { run as runFaults } from './faults.ts';

export async function run(): Promise<void> {
  await runActivation();
  await runClosedDocuments();
  await runFaults();
}
