/** The limits of both engines, which media/docs/engines.md and the status of a project name. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ServiceError } from '../../../src/wire/serviceError.ts';
import { rejection } from '../../support/scriptedServer.ts';
import { startTestEngine } from '../../support/testEngine.ts';
import { repositoryRoot } from '../../support/workbench/workbenchPaths.ts';
import { openWorkerdEngine } from '../../support/workerdEngine.ts';

const files = startTestEngine({ after });
const objects = await openWorkerdEngine();
const engines = {
  sqlite: { limits: files.engine.description.limits, run: files.run },
  worker: { limits: (await objects.project.status()).engine!.limits, run: objects.run },
};
/** The platform takes shorter values than its runtime, which refuses the next one. */
const runtimeValueBytes = 8_388_642;

const document = readFileSync(join(repositoryRoot, 'media/docs/engines.md'), 'utf8');
const rows = new Map(
  document
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line => line.split('|').map(cell => cell.trim()))
    .map(([, name = '', sqlite = '', worker = '', error = '']) => [name, { sqlite, worker, error }]),
);

interface Limit {
  readonly name: string;
  readonly key: 'statementBytes' | 'columns' | 'valueBytes' | 'compoundTerms' | 'patternBytes' | 'expressionDepth';
  /** A statement that uses this amount of the limit. */
  readonly sql: (count: number) => string;
}

const times = (count: number, text: string): string => Array.from({ length: count }, () => text).join(', ');

const limits: readonly Limit[] = [
  { name: 'Length of a statement', key: 'statementBytes', sql: count => `SELECT 1 --${'x'.repeat(count - 11)}` },
  { name: 'Columns of a table or a result', key: 'columns', sql: count => `SELECT ${times(count, '1')}` },
  { name: 'Size of a value', key: 'valueBytes', sql: count => `SELECT length(zeroblob(${count})) AS size` },
  {
    name: 'SELECTs joined by UNION and its like',
    key: 'compoundTerms',
    sql: count => Array.from({ length: count }, () => 'SELECT 1').join(' UNION ALL '),
  },
  {
    name: 'Pattern of LIKE and GLOB',
    key: 'patternBytes',
    sql: count => `SELECT 'a' LIKE '${'b'.repeat(count)}' AS same`,
  },
  {
    name: 'Depth of an expression',
    key: 'expressionDepth',
    sql: count => `SELECT ${Array.from({ length: count }, () => '1').join(' + ')} AS sum`,
  },
];

for (const [engineName, { limits: found, run }] of Object.entries(engines)) {
  for (const { name, key, sql } of limits) {
    test(`${name}: the engine ${engineName} takes as much as it says, and refuses more`, async () => {
      const limit = found[key]!;
      const row = rows.get(name);
      assert.ok(row?.[engineName as 'sqlite' | 'worker'].startsWith(limit.toLocaleString('en')), `${name}: ${limit}`);
      // The text that the engine puts around a statement may count, too.
      const room = key === 'statementBytes' ? 1000 : 0;
      await run(sql(limit - room));
      const last = engineName === 'worker' && key === 'valueBytes' ? runtimeValueBytes : limit;
      const refusal = await rejection(run(sql(last + 1)));
      assert.ok(refusal instanceof ServiceError);
      assert.equal(`${refusal.status} \`${refusal.code}\``, row?.error);
    });
  }
}
