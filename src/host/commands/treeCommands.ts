/** The bundle loads these commands together, with the first of them. */
export * from './keyCommands.ts';
export * from './objectCommands.ts';
export * from './tableCommands.ts';
