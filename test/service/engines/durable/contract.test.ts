/** The contract on the Worker as a platform of Durable Objects runs it. */
import { runOn } from '../../../support/engineUnderTest.ts';

runOn('worker');
await import('../../../contract/localService.test.ts');
await import('../../../contract/projects.test.ts');
await import('../../../contract/referenceClient.test.ts');
await import('../../promptRows.test.ts');
