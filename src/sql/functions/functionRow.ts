/** The storage class of a result. `number` is integer or real, and `any` depends on the arguments. */
export type ResultType = 'integer' | 'real' | 'number' | 'text' | 'blob' | 'any';

/**
 * One signature of a function. The parameters are written `required, optional?, repeated...`; a repeated parameter may be
 * missing. The description is one sentence.
 */
export type FunctionRow = readonly [name: string, parameters: string, result: ResultType, description: string];
