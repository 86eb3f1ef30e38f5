import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskPatternOf } from '../../../src/sql/masks/maskPattern.ts';

const isMatch = (pattern: string, table: string, column: string): boolean => {
  const found = maskPatternOf(pattern);
  assert.ok(found, pattern);
  return found.table.test(table) && found.column.test(column);
};

test('a pattern matches names without regard to case and quotes', () => {
  for (const pattern of [
    'customers.email',
    'Customers.EMAIL',
    '"customers".[email]',
    "`customers` . 'email'",
    'main.customers.email',
    ' email ',
  ]) {
    assert.ok(isMatch(pattern, 'customers', 'email'), pattern);
    assert.ok(isMatch(pattern, 'CUSTOMERS', 'Email'), pattern);
    assert.ok(!isMatch(pattern, 'customers', 'email2'), pattern);
  }
  assert.ok(!isMatch('customers.email', 'orders', 'email'));
  assert.ok(isMatch('t.kim', 'T', 'KIM'));
  assert.ok(!isMatch('t.kim', 't', '\u212Aim'), 'another name to SQLite');
});

test('* stands for any characters', () => {
  assert.ok(isMatch('*.password*', 'accounts', 'password_hash'));
  assert.ok(isMatch('*.*', 'a', 'b'));
  assert.ok(isMatch('user*.*mail*', 'user_data', 'e-mail address'));
  assert.ok(isMatch('*.pass*word', 'a', 'pass\nword'));
  assert.ok(!isMatch('*.password*', 'accounts', 'old_password'));
});

test('other characters of regular expressions stand for themselves', () => {
  assert.ok(isMatch('t.a+b', 't', 'a+b'));
  assert.ok(!isMatch('t.a+b', 't', 'aab'));
  assert.ok(isMatch('"odd.table"."it""s (x)"', 'odd.table', 'it"s (x)'));
  assert.ok(isMatch('t.größe', 'T', 'GRÖSSE'.replace('SS', 'ß')));
});

test('a text that names no column is not a pattern', () => {
  for (const text of ['', ' ', '.', 'customers.', '.email', 'a.b.c', 'main.a.b.c', '"open.email', 'a..b', '""."x"']) {
    assert.equal(maskPatternOf(text), undefined, text);
  }
});
