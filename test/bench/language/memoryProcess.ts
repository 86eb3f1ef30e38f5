/* A process that reports its memory. Like a language server it has a long document, its schema and its faults, and completes once. */
import { readFileSync } from 'node:fs';
import { Diagnosis } from '../../../src/sql/diagnosis/diagnosis.ts';
import { completionInDocument } from '../../../src/sql/completion/completion.ts';
import { DocumentSchema } from '../../../src/sql/schema/documentSchema.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { ShadowSchema } from '../../../src/sql/shadow/shadowSchema.ts';
import { wasmBinary } from '../../support/wasmDatabase.ts';

const [data = ''] = process.argv.slice(2);
const { ddl, script } = JSON.parse(readFileSync(data, 'utf8')) as { readonly ddl: string[]; readonly script: string };
const diagnosis = new Diagnosis(script);
diagnosis.useSchema(await ShadowSchema.open({ wasmBinary, ddl }));
const faults = await diagnosis.faults();
const schema = new DocumentSchema(diagnosis.index, Schema.of(ddl.join(';')));
const { proposals } = completionInDocument(diagnosis.index, schema, diagnosis.index.length - 20);
if (proposals.length === 0) throw new Error('Completion proposed nothing.');
if (!faults?.length) throw new Error('The diagnosis found no faults.');
process.send?.(process.memoryUsage.rss() / 1e6);
process.disconnect();
