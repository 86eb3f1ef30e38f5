/** A process that holds what a language server does: a long document, the schema, and all that is wrong. It says what it takes. */
import { Diagnosis } from '../../../src/sql/diagnosis.ts';
import { ShadowSchema } from '../../../src/sql/shadow/shadowSchema.ts';
import { bigSchema, bigScript } from '../../support/bigProject.ts';
import { wasmBinary } from '../../support/wasmDatabase.ts';

const { ddl, copies } = bigSchema(1_000);
const diagnosis = new Diagnosis(bigScript(10_000, copies));
diagnosis.useSchema(await ShadowSchema.open({ wasmBinary, ddl }));
const faults = await diagnosis.faults();
if (!faults?.length) throw new Error('Nothing was found to be wrong.');
process.send?.(process.memoryUsage.rss() / 1e6);
process.disconnect();
