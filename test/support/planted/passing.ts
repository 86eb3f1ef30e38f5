/** A planted test file: its test passes. */
import { test } from 'node:test';

test('a test that passes', () => {});
