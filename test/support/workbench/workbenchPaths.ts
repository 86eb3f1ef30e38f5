import { join, resolve } from 'node:path';

export const repositoryRoot = resolve(import.meta.dirname, '../../..');

/** The workbench and the browser are installed here once. Git ignores it. */
export const provisionedFolder = join(repositoryRoot, '.workbench');

/** Failed tests leave evidence here. Git ignores it. */
export const resultsFolder = join(repositoryRoot, '.results');
