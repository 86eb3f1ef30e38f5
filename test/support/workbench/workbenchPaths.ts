import { join, resolve } from 'node:path';

export const repositoryRoot = resolve(import.meta.dirname, '../../..');

/** What is provisioned once and kept: the workbench, the browser. Git ignores it. */
export const provisionedFolder = join(repositoryRoot, '.workbench');

/** What a failed test leaves behind to look at. Git ignores it. */
export const resultsFolder = join(repositoryRoot, '.results');
