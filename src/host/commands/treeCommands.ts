/** The commands on projects, tables and other objects. The bundle loads them together, with the first of them. */
export * from './keyCommands.ts';
export * from './objectCommands.ts';
export * from './tableCommands.ts';
