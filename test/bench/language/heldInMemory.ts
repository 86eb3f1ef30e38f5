/** A process that holds what a language server does: a long document, the schema, and all that is wrong, and proposes. It says what it takes. */
import { readFileSync } from 'node:fs';
import { Diagnosis } from '../../../src/sql/diagnosis/diagnosis.ts';
import { DocumentCompletion } from '../../../src/sql/completion/documentCompletion.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { ShadowSchema } from '../../../src/sql/shadow/shadowSchema.ts';
import { wasmBinary } from '../../support/wasmDatabase.ts';

const [data = ''] = process.argv.slice(2);
const { ddl, script } = JSON.parse(readFileSync(data, 'utf8')) as { readonly ddl: string[]; readonly script: string };
const diagnosis = new Diagnosis(script);
diagnosis.useSchema(await ShadowSchema.open({ wasmBinary, ddl }));
const faults = await diagnosis.faults();
const completion = new DocumentCompletion(diagnosis.index, Schema.of(ddl.join(';')));
if (completion.at(diagnosis.index.length - 20).proposals.length === 0) throw new Error('Nothing was proposed.');
if (!faults?.length) throw new Error('Nothing was found to be wrong.');
process.send?.(process.memoryUsage.rss() / 1e6);
process.disconnect();
