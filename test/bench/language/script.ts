/* Measures the time of a diagnosis of a long script, as a whole and after an edit, and its memory. */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { languageServerArguments } from '../../../src/protocol/languageBridge.ts';
import { Diagnosis } from '../../../src/sql/diagnosis/diagnosis.ts';
import { ddlStatementOf } from '../../../src/sql/shadow/ddlStatement.ts';
import { ShadowSchema } from '../../../src/sql/shadow/shadowSchema.ts';
import { StatementIndex } from '../../../src/sql/text/statementIndex.ts';
import { bigSchema, bigScript } from '../../support/bigProject.ts';
import { longScript } from '../../support/longScript.ts';
import { wasmBinary } from '../../support/wasmDatabase.ts';
import { millisecondsOf } from '../../support/bench.ts';

const lines = 10_000;
const tables = 1_000;
const runs = 8;
const editCount = 300;

export async function benchScript(print: (name: string, value: number) => void): Promise<void> {
  const { ddl, copies } = bigSchema(tables);
  const script = bigScript(lines, copies);

  const first: number[] = [];
  for (let run = 0; run < runs; run++) {
    const shadow = await ShadowSchema.open({ wasmBinary, ddl });
    first.push(await millisecondsOf(async () => diagnosed(script, shadow)));
    shadow.dispose();
  }
  print('diagnose_10k_first_ms', Math.min(...first));

  const shadow = await ShadowSchema.open({ wasmBinary, ddl });
  await diagnosed(script, shadow);
  const loaded: number[] = [];
  for (let run = 0; run < runs; run++) {
    // A comment makes each statement another text, so that the caches do not help.
    const other = script.replaceAll(/;$/gm, ` /* ${run} */;`);
    loaded.push(await millisecondsOf(async () => diagnosed(other, shadow)));
  }
  print('diagnose_10k_ms', Math.min(...loaded));

  const diagnosis = await diagnosed(script, shadow);
  print('faults_10k', (await diagnosis.faults())!.length);
  const isChange = (number: number): boolean => {
    const { start, end } = diagnosis.index.at(number)!;
    return ddlStatementOf(diagnosis.index.slice(start, end)) !== undefined;
  };
  const numbers = Array.from({ length: diagnosis.index.count }, (_, number) => number);
  const all = await editTimes(diagnosis, numbers);
  print('edit_p50_ms', percentile(all, 0.5));
  print('edit_ms', percentile(all, 0.95));
  const inChanges = await editTimes(diagnosis, numbers.filter(isChange));
  print('edit_schema_p50_ms', percentile(inChanges, 0.5));
  print('edit_schema_ms', percentile(inChanges, 0.95));
  print('rss_mb', await residentMegabytes({ ddl, script }));
  const { opened, closed } = quoteTimes(longScript(370_000));
  print('split_open_quote_10mb_ms', opened);
  print('split_close_quote_10mb_ms', closed);
}

async function diagnosed(script: string, shadow: ShadowSchema): Promise<Diagnosis> {
  const diagnosis = new Diagnosis(script);
  diagnosis.useSchema(shadow);
  await diagnosis.faults();
  return diagnosis;
}

/** Types a letter in the middle of statements all over the document, and deletes it before the next. */
async function editTimes(diagnosis: Diagnosis, numbers: readonly number[]): Promise<number[]> {
  const times: number[] = [];
  for (let edit = 0; edit < editCount; edit++) {
    const number = numbers[Math.floor((((edit * 61) % editCount) * numbers.length) / editCount)]!;
    const { start, end } = diagnosis.index.at(number)!;
    const offset = Math.floor((start + end) / 2);
    const type = async (): Promise<unknown> => {
      diagnosis.apply({ start: offset, end: offset, text: 'x' });
      return diagnosis.faults();
    };
    times.push(await millisecondsOf(type));
    diagnosis.apply({ start: offset, end: offset + 1, text: '' });
    await diagnosis.faults();
  }
  return times.toSorted((a, b) => a - b);
}

const percentile = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)]!;

/** The 95th percentile of the times to split a text of ten megabytes again after a quote is typed and deleted. */
function quoteTimes(text: string): { readonly opened: number; readonly closed: number } {
  const index = new StatementIndex(text);
  const times = Array.from({ length: 40 }, (_, number) => {
    const offset = Math.floor((text.length * ((number * 17) % 40)) / 40);
    const started = performance.now();
    index.apply({ start: offset, end: offset, text: "'" });
    const between = performance.now();
    index.apply({ start: offset, end: offset + 1, text: '' });
    return { opened: between - started, closed: performance.now() - between };
  });
  const slow = (of: (time: (typeof times)[number]) => number): number =>
    percentile(
      times.map(of).toSorted((a, b) => a - b),
      0.95,
    );
  return { opened: slow(time => time.opened), closed: slow(time => time.closed) };
}

/** Measured in a process that runs one bundled file, as the language server does. */
async function residentMegabytes(input: { readonly ddl: readonly string[]; readonly script: string }): Promise<number> {
  const cache = join(import.meta.dirname, '../../../.cache');
  const outfile = join(cache, 'memoryProcess.mjs');
  const entry = join(import.meta.dirname, 'memoryProcess.ts');
  await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile });
  // The schema and the script are created here, because creating them would add to the memory of the process.
  const data = join(cache, 'memoryProcess.json');
  writeFileSync(data, JSON.stringify(input));
  const child = fork(outfile, [data], { stdio: 'inherit', execArgv: [...languageServerArguments] });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('message', resolve);
  child.once('exit', code => reject(new Error(`The measured process ended with ${code}.`)));
  return promise;
}
