import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { agentTools } from '../../../src/model/agent/agentTools.ts';
import { defaultAgentLimits } from '../../../src/model/agent/limits.ts';
import { inputSchema } from '../../../src/model/agent/toolInput.ts';
import { WriteProposals } from '../../../src/model/agent/writeProposals.ts';

interface ToolEntry {
  readonly name: string;
  readonly toolReferenceName: string;
  readonly modelDescription: string;
  readonly canBeReferencedInPrompt: boolean;
  readonly inputSchema: unknown;
  readonly when?: string;
}

interface LimitsSetting {
  readonly properties: Readonly<Record<string, { readonly default: number }>>;
}

const { contributes } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  readonly contributes: {
    readonly languageModelTools: readonly ToolEntry[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
  };
};

const tools = agentTools({
  listProjects: () => Promise.resolve([]),
  openEditor: () => Promise.resolve(),
  clock: systemClock,
  proposals: new WriteProposals({ clock: systemClock, confirmWrite: undefined }),
});

test('package.json offers the tools with the descriptions and schemas that the code has', () => {
  assert.deepEqual(
    contributes.languageModelTools.map(({ name, modelDescription, inputSchema: schema }) => [
      name,
      modelDescription,
      schema,
    ]),
    tools.map(tool => [tool.name, tool.description, inputSchema(tool)]),
  );
});

test('a tool that writes is hidden until the setting of the user names a project', () => {
  const setting = 'config.sqlProjects.agents.writable';
  for (const { isReadOnly, name } of tools) {
    const { when } = contributes.languageModelTools.find(tool => tool.name === name)!;
    assert.equal(when, isReadOnly ? undefined : `${setting} && ${setting} != '[]'`);
  }
});

test('the settings show the limits that the code has', () => {
  const { properties } = contributes.configuration.properties['sqlProjects.agents.limits'] as LimitsSetting;
  const { call, session } = defaultAgentLimits;
  assert.deepEqual(Object.fromEntries(Object.entries(properties).map(([name, limit]) => [name, limit.default])), {
    ...call,
    sessionRows: session.rows,
    sessionBytes: session.bytes,
    sessionSeconds: session.seconds,
    sessionTokens: session.tokens,
  });
});
