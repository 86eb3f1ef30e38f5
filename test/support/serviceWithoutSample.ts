// The command line of the service, without the sample project: making that takes longer than the rest of a start.
process.argv = process.argv.filter(argument => argument !== '--sample');
await import('../../src/service/cli.ts');
