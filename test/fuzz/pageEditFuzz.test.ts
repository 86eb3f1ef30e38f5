import { pageEditTest } from './pageEditFuzz.ts';

for (const seed of [1, 2, 3, 4]) pageEditTest(seed);
