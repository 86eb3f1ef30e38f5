/** The extension's work with a project, on the Worker as a platform of Durable Objects runs it. */
import { runOn } from '../../../support/engineUnderTest.ts';

runOn('worker');
await import('../../../host/designing/designRun.test.ts');
await import('../../../host/editing/conflicts.test.ts');
await import('../../../host/editing/familySaves.test.ts');
await import('../../../host/editing/swappedKeys.test.ts');
await import('../../../model/browsing/browseRun.test.ts');
await import('../../../model/browsing/keyedPages.test.ts');
await import('../../../model/browsing/tableQueries.test.ts');
await import('../../../model/catalog.test.ts');
await import('../../../model/connectionTest.test.ts');
await import('../../../model/copying/definitionCopy.test.ts');
await import('../../../model/editing/saveProblems.test.ts');
await import('../../../model/editing/saves.test.ts');
await import('../../../model/generating/generateRows.test.ts');
await import('../../../model/importing/importRun.test.ts');
await import('../../../model/importing/importValues.test.ts');
