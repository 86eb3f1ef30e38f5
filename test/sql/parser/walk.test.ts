import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { walk } from '../../../src/sql/parser/walk.ts';

const check = (sql: string, enter: (type: string) => boolean, expected: string): void => {
  const { ast } = parseStatement(sql);
  assert.ok(ast);
  const visits: string[] = [];
  walk(ast, ({ node, parent }) => {
    visits.push(`${parent ? `${parent.node.type}>` : ''}${node.type}`);
    return enter(node.type);
  });
  assert.equal(visits.join(' '), expected);
};

test('walk() visits each node with its parent', () =>
  check(
    'SELECT -1',
    () => true,
    'SelectStmt SelectStmt>Select Select>SelectFrom SelectFrom>ExprResultColumn ExprResultColumn>UnaryExpr UnaryExpr>NumericLiteral',
  ));

test('walk() skips the children of a node on request', () =>
  check('SELECT -1', type => type !== 'Select', 'SelectStmt SelectStmt>Select'));

test('walk() reaches any depth', () => {
  const { ast } = parseStatement(`SELECT 1${'+1'.repeat(20_000)}`);
  assert.ok(ast);
  let literals = 0;
  walk(ast, ({ node }) => {
    if (node.type === 'NumericLiteral') literals++;
    return true;
  });
  assert.equal(literals, 20_001);
});
