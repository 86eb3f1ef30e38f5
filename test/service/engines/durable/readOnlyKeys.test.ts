/** Keys that only read, on the Worker as a platform of Durable Objects runs it. */
import { runOn } from '../../../support/engineUnderTest.ts';

runOn('worker');
await import('../../readOnlyKeys.test.ts');
