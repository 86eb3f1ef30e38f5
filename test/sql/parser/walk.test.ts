import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { nodesIn } from '../../../src/sql/parser/walk.ts';

const check = (sql: string, isLeaf: (type: string) => boolean, expected: string): void => {
  const { ast } = parseStatement(sql);
  assert.ok(ast);
  const visits: string[] = [];
  for (const { node, parent } of nodesIn(ast, ({ type }) => isLeaf(type))) {
    visits.push(`${parent ? `${parent.node.type}>` : ''}${node.type}`);
  }
  assert.equal(visits.join(' '), expected);
};

test('nodesIn() gives each node with its parent', () =>
  check(
    'SELECT -1',
    () => false,
    'SelectStmt SelectStmt>Select Select>SelectFrom SelectFrom>ExprResultColumn ExprResultColumn>UnaryExpr UnaryExpr>NumericLiteral',
  ));

test('nodesIn() leaves out the children of a leaf', () =>
  check('SELECT -1', type => type === 'Select', 'SelectStmt SelectStmt>Select'));

test('nodesIn() reaches any depth', () => {
  const { ast } = parseStatement(`SELECT 1${'+1'.repeat(20_000)}`);
  assert.ok(ast);
  let literals = 0;
  for (const { node } of nodesIn(ast)) {
    if (node.type === 'NumericLiteral') literals++;
  }
  assert.equal(literals, 20_001);
});
