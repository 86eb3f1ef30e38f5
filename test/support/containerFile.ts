import { readFileSync } from 'node:fs';

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of one stage, from its FROM on. */
export class Stage {
  readonly instructions: readonly Instruction[];

  constructor(instructions: readonly Instruction[]) {
    this.instructions = instructions;
  }

  all(name: string): string[] {
    return this.instructions.filter(instruction => instruction.name === name).map(({ text }) => text);
  }

  /** The text of the only instruction of a name. */
  one(name: string): string {
    const [text, ...others] = this.all(name);
    if (text === undefined || others.length > 0) throw new Error(`The stage needs one ${name}.`);
    return text;
  }

  /** The words of an instruction in the form that starts no shell. */
  words(name: string): string[] {
    return JSON.parse(this.one(name).replace(/^.*?CMD (?=\[)/, '')) as string[];
  }
}

export function readContainerFile(path: string): Stage[] {
  const lines = readFileSync(path, 'utf8').replaceAll('\\\n', ' ').split('\n');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name, text = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (name === undefined) {
      if (line.trim() !== '' && !line.startsWith('#')) throw new Error(`Not an instruction: ${line}`);
      continue;
    }
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages.map(instructions => new Stage(instructions));
}
