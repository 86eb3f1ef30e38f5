/*
 * Measures the tools for agents: what a query costs beside the client alone, how large the schema of a thousand tables is, and
 * how long the server takes to answer after its start.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { Client } from '../../src/client/index.ts';
import { tokenCount } from '../../src/model/agent/untrustedJson.ts';
import { bigSchema } from '../support/bigProject.ts';
import { TestAgent } from '../support/agentCalls.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';
import { openTestService } from '../support/testService.ts';
import { type Bench, millisecondsOf, quantileOf } from '../support/bench.ts';

const queries = 300;
const starts = 15;
const tables = 1000;
const bundle = join(import.meta.dirname, '../../dist/service.mjs');

type Print = Parameters<Bench>[0];

export const bench: Bench = async print => {
  if (!existsSync(bundle)) throw new Error('There is no build to measure. Run "npm run build".');
  await queryOverhead(print);
  await schemaTokens(print);
  await serverStart(print);
};

/** The same statement through the tool and through the client, in turns. */
async function queryOverhead(print: Print): Promise<void> {
  await using service = await ServiceProcess.start('built');
  const { baseUrl, projectId, apiKey } = await service.project();
  await using client = new Client({ baseUrl, apiKey });
  await using agent = new TestAgent({ baseUrl, projectId, apiKey });
  const sql = 'SELECT id, name, city, created_at FROM customers WHERE id > ? ORDER BY id LIMIT 100';
  const times = { tool: [] as number[], client: [] as number[] };
  for (let query = 0; query < queries; query++) {
    const params = [query];
    times.client.push(await millisecondsOf(() => client.execSql(projectId, { sql, params })));
    times.tool.push(await millisecondsOf(() => agent.text('sql_query', { sql, params })));
  }
  // The first calls open connections and read the schema.
  const toolTime = quantileOf(times.tool.slice(10), 0.95);
  const clientTime = quantileOf(times.client.slice(10), 0.95);
  print('query_p95_ms', toolTime);
  print('client_p95_ms', clientTime);
  print('query_overhead_p95_ms', toolTime - clientTime);
}

/** The schema with a search and two requested tables, which must be in it. */
async function schemaTokens(print: Print): Promise<void> {
  await using service = await openTestService();
  const { client, projectId } = service;
  const { ddl } = bigSchema(tables);
  for (const sql of ddl) await client.execSql(projectId, { sql }).catch(() => undefined);
  await using agent = new TestAgent(service);
  const input = { tables: ['users_3', 'order_lines'], search: 'posts of a user' };
  const text = await agent.text('sql_schema', input);
  for (const name of input.tables) if (!text.includes(`"name":"${name}"`)) throw new Error(`${name} is missing.`);
  print('schema_tokens_1000_tables', tokenCount(text));
  print('schema_1000_tables_ms', await millisecondsOf(() => agent.text('sql_schema', input)));
}

/** From the start of the process to the answer of `initialize`. */
async function serverStart(print: Print): Promise<void> {
  const times = [];
  const bareTimes = [];
  for (let start = 0; start < starts; start++) {
    times.push(await millisecondsOf(answerToInitialize));
    bareTimes.push(await millisecondsOf(bareStart));
  }
  print('mcp_start_ms', quantileOf(times, 0.5));
  print('bare_node_start_ms', quantileOf(bareTimes, 0.5));
}

async function answerToInitialize(): Promise<void> {
  const child = spawn(process.execPath, [bundle, 'mcp', '--data', '/nowhere'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await once(child.stdout, 'data');
  child.stdin.end();
}

async function bareStart(): Promise<void> {
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
}
