import { test } from 'node:test';

test('a test that leaves a fault behind', () => {
  setTimeout(() => void Promise.reject(new Error('planted late')), 10);
});

test('a test that runs meanwhile', () => new Promise(resolve => setTimeout(resolve, 100)));
