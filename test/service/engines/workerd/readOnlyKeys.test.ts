/** Keys that only read, with the engine on workerd. */
import { runOn } from '../../../support/engineUnderTest.ts';

runOn('workerd');
await import('../../readOnlyKeys.test.ts');
await import('../../keyScopes.test.ts');
