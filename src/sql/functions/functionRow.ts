/** What SQLite gives back: a storage class, or `number` for integer or real, or `any` where it depends on the arguments. */
export type ResultType = 'integer' | 'real' | 'number' | 'text' | 'blob' | 'any';

/**
 * One way to call one function: its name, its parameters, what comes back, and a sentence about it. Parameters are
 * written `needed, optional?, repeated...`, where a repeated one may also be missing.
 */
export type CatalogueRow = readonly [name: string, parameters: string, result: ResultType, description: string];
