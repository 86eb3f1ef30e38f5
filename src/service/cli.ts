import { runProgram } from './commands/program.ts';

// New files are for their owner alone, also in a folder that is open to others.
process.umask(0o077);

process.exitCode = await runProgram(process.argv.slice(2), {
  print: line => console.log(line),
  note: line => console.error(line),
});
