import { runProgram } from './commands/program.ts';

process.exitCode = await runProgram(process.argv.slice(2), {
  print: line => console.log(line),
  note: line => console.error(line),
});
