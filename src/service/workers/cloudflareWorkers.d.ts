/* oxlint-disable typescript/consistent-type-imports -- a declared module cannot import a file by its relative path */
/** The module of the platform that a Durable Object extends. */
declare module 'cloudflare:workers' {
  export abstract class DurableObject<Env = unknown> {
    protected readonly ctx: import('../engines/durable/objectStorage.ts').ObjectState;
    protected readonly env: Env;
    constructor(ctx: import('../engines/durable/objectStorage.ts').ObjectState, env: Env);
  }
}
