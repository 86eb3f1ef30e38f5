import type { Memento } from 'vscode';
import { asRecord } from '../../base/decode.ts';
import {
  automaticArrangement,
  decodeDiagramArrangement,
  type DiagramArrangement,
  type DiagramSubject,
} from '../../protocol/diagram.ts';

const storageKey = 'sqlProjects.diagrams';

/** The arrangements that changed longest ago are forgotten beyond this number. */
const maxDiagrams = 30;

/** How the user arranged each diagram. */
export class Arrangements {
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  of(subject: DiagramSubject): DiagramArrangement {
    return decodeDiagramArrangement(this.#stored()[idOf(subject)]) ?? automaticArrangement;
  }

  async remember(subject: DiagramSubject, arrangement: DiagramArrangement): Promise<void> {
    const id = idOf(subject);
    const others = Object.entries(this.#stored()).filter(([other]) => other !== id);
    const isAutomatic = JSON.stringify(arrangement) === JSON.stringify(automaticArrangement);
    const entries = [...others, ...(isAutomatic ? [] : [[id, arrangement] as const])].slice(-maxDiagrams);
    await this.#memory.update(storageKey, Object.fromEntries(entries));
  }

  #stored(): Readonly<Record<string, unknown>> {
    return asRecord(this.#memory.get(storageKey)) ?? {};
  }
}

const idOf = ({ profileId, table }: DiagramSubject): string => JSON.stringify([profileId, table]);
