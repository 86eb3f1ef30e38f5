/*
 * Measures the language server through its own connection, with a script of 10,000 lines and a schema of 1,000 tables.
 * Beside the time until the answer it prints the server's own processor time, which a busy machine does not change.
 */
import { existsSync } from 'node:fs';
import type { CompletionItem, CompletionList } from 'vscode-languageserver-protocol';
import { monotonicClock } from '../../src/base/clock.ts';
import { Client } from '../../src/client/index.ts';
import { StatementRun } from '../../src/model/results/statementRun.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { bigSchema, bigScript } from '../support/bigProject.ts';
import { type TestDocument, TestLanguageServer } from '../support/languageServer.ts';
import { memoryOf } from '../support/memoryOf.ts';
import { processorTimeOf } from '../support/processorTimeOf.ts';
import { startRowsThread } from '../support/rowsThread.ts';
import { startRowServer } from '../support/startRowServer.ts';
import type { Bench } from '../support/bench.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const lines = 10_000;
/** `LSP_TABLES=5000` measures a larger schema. */
const tables = Number(process.env['LSP_TABLES'] ?? 1000);
const starts = 5;
const places = 200;
const bundle = new URL('../../dist/languageServer.mjs', import.meta.url);

export const bench: Bench = async print => {
  if (!existsSync(bundle)) throw new Error('There is no build to measure. Run "npm run build".');
  const { ddl, copies } = bigSchema(tables);
  const script = bigScript(lines, copies);

  const times: Time[] = [];
  for (let start = 0; start < starts; start++) times.push(await timeOfStart(ddl, script));
  printTimes('start', times, 0.5);

  await using server = await openServer(ddl);
  const document = await server.open(script);
  await completeOnce(document);
  printTimes('open', [await timeOf(server, () => document.diagnostics())], 0.5);
  const completions = await completionTimes(document, places);
  print('complete_p50_ms', percentile(completions, 'ms', 0.5));
  printTimes('complete_p95', completions, 0.95);
  const edits = await editTimes(document);
  print('edit_p50_ms', percentile(edits, 'ms', 0.5));
  printTimes('edit', edits, 0.95);
  const { documentFormattingProvider, semanticTokensProvider } = server.capabilities;
  if (semanticTokensProvider) printTimes('tokens_10k', await repeated(document, tokensMethod), 0);
  if (documentFormattingProvider) printTimes('format_10k', await repeated(document, formatMethod, format), 0);
  print('rss_mb', memoryOf(server.process.pid!).whole);
  printTimes('complete_while_streaming_p95', await timesWhileStreaming(document), 0.95);

  function printTimes(name: string, of: readonly Time[], share: number): void {
    print(`${name}_ms`, percentile(of, 'ms', share));
    print(`${name}_processor_ms`, percentile(of, 'processorMs', share));
  }
};

interface Time {
  readonly ms: number;
  readonly processorMs: number;
}

const tokensMethod = 'textDocument/semanticTokens/full';
const formatMethod = 'textDocument/formatting';
const format = { options: { tabSize: 2, insertSpaces: true } };

async function openServer(ddl: readonly string[]): Promise<TestLanguageServer & AsyncDisposable> {
  const server = new TestLanguageServer({ ddl, module: bundle });
  await server.initialize();
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.stop() });
}

/** From the start of the process to the first completion. */
async function timeOfStart(ddl: readonly string[], script: string): Promise<Time> {
  const started = performance.now();
  await using server = await openServer(ddl);
  await completeOnce(await server.open(script));
  return { ms: performance.now() - started, processorMs: processorTimeOf(server.process.pid!) };
}

async function completeOnce(document: TestDocument): Promise<void> {
  const offset = document.text.indexOf('FROM', document.text.length / 2) + 'FROM '.length;
  const answer = await document.request<CompletionItem[] | CompletionList>('textDocument/completion', offset);
  if ((Array.isArray(answer) ? answer : answer.items).length === 0) throw new Error('Completion proposed nothing.');
}

/** Types a letter at the end of a word somewhere in the document, and returns the offset after it. */
async function typeAt(document: TestDocument, share: number): Promise<number> {
  const offset = Math.floor(document.text.length * share);
  const end = offset + document.text.slice(offset).search(/\w\b/) + 1;
  await document.edit(end, end, 'x');
  return end + 1;
}

/** The times from a letter to the proposals after it, all over the document. */
async function completionTimes(document: TestDocument, count: number): Promise<Time[]> {
  const times: Time[] = [];
  for (let place = 0; place < count; place++) {
    let offset = 0;
    const complete = async (): Promise<void> => {
      offset = await typeAt(document, ((place * 61) % count) / count);
      await document.request('textDocument/completion', offset);
    };
    times.push(await timeOf(document.server, complete));
    await document.edit(offset - 1, offset, '');
    await document.diagnostics();
  }
  return times;
}

/** The times from a letter within a statement to the diagnostics of the document. */
async function editTimes(document: TestDocument): Promise<Time[]> {
  const statements = splitStatements(document.text);
  const times: Time[] = [];
  for (let place = 0; place < places; place++) {
    const { start, end } = statements[Math.floor((((place * 61) % places) * statements.length) / places)]!;
    const offset = Math.floor((start + end) / 2);
    const type = async (): Promise<void> => {
      await document.edit(offset, offset, 'x');
      await document.diagnostics();
    };
    times.push(await timeOf(document.server, type));
    await document.edit(offset, offset + 1, '');
    await document.diagnostics();
  }
  return times;
}

/** The times of completion while this process takes a million rows as the extension host does. */
async function timesWhileStreaming(document: TestDocument): Promise<Time[]> {
  await using stack = new AsyncDisposableStack();
  const rowServer = stack.use(await startRowServer());
  const client = new Client({ baseUrl: rowServer.url, retries: 0 });
  stack.defer(() => client.close());
  const folder = temporaryFolder();
  const thread = startRowsThread();
  stack.defer(() => thread.dispose());
  const run = new StatementRun({
    send: options => client.execSqlStream('bench', { sql: '1000000 wide' }, options),
    folder,
    thread,
    limits: { maxRows: Infinity, maxBytes: Infinity },
    clock: monotonicClock,
  });
  stack.defer(() => run.dispose());
  const ended = run.start();
  const times: Time[] = [];
  while (run.state === 'running') times.push(...(await completionTimes(document, 10)));
  await ended;
  return times;
}

async function repeated(document: TestDocument, method: string, extra: object = {}): Promise<Time[]> {
  const times: Time[] = [];
  for (let run = 0; run < 5; run++) {
    // Another text, so that no answer is there already.
    await document.edit(0, 0, `-- ${run}\n`);
    await document.diagnostics();
    times.push(await timeOf(document.server, () => document.request(method, 0, extra)));
  }
  return times;
}

async function timeOf({ process }: TestLanguageServer, work: () => Promise<unknown>): Promise<Time> {
  const started = performance.now();
  const startedProcessor = processorTimeOf(process.pid!);
  await work();
  return { ms: performance.now() - started, processorMs: processorTimeOf(process.pid!) - startedProcessor };
}

function percentile(times: readonly Time[], figure: keyof Time, share: number): number {
  const sorted = times.map(time => time[figure]).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
