/** The contract, and how the service answers, on the Worker as a platform of Durable Objects runs it. */
import { runOn } from '../../../support/engineUnderTest.ts';

runOn('worker');
await import('../../../contract/localService.test.ts');
await import('../../../contract/projects.test.ts');
await import('../../../contract/referenceClient.test.ts');
await import('../../errorCodes.test.ts');
await import('../../http.test.ts');
await import('../../keys.test.ts');
await import('../../promptRows.test.ts');
await import('../../rawHttp.test.ts');
await import('../../requestBodies.test.ts');
