import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import type { HttpExchange } from './curl.ts';
import { repositoryRoot } from './workbench/workbenchPaths.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>;
}

interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Content>>;
    readonly schemas: { readonly Code: { readonly enum: readonly string[] } };
  };
}

/** The description of the service in `media/docs/openapi.json`. */
export class OpenApi {
  readonly operations: readonly PlacedOperation[];
  readonly #components: Description['components'];
  readonly #validator = new AjvJsonSchemaValidator();

  private constructor({ openapi, paths, components }: Description) {
    assert.match(openapi, /^3\.1\./);
    this.#components = components;
    this.operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    );
  }

  static async read(): Promise<OpenApi> {
    const text = await readFile(join(repositoryRoot, 'media/docs/openapi.json'), 'utf8');
    return new OpenApi(JSON.parse(text) as Description);
  }

  get codes(): readonly string[] {
    return this.#components.schemas.Code.enum;
  }

  operationOf({ method, url }: HttpExchange): Operation {
    const parts = new URL(url).pathname.split('/');
    const fits = (path: string): boolean => {
      const pattern = path.split('/');
      return pattern.length === parts.length && pattern.every((word, i) => word.startsWith('{') || word === parts[i]);
    };
    const found = this.operations.filter(placed => placed.method === method && fits(placed.path));
    // A path without parameters goes before one that a parameter fits.
    const [first] = found.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
    return first?.operation ?? assert.fail(`openapi.json has no ${method} ${url}`);
  }

  /** Fails if the request or the answer is not one that the description has. */
  check(exchange: HttpExchange): void {
    const { responses, requestBody, operationId } = this.operationOf(exchange);
    if (exchange.sent !== undefined && exchange.status === 200) {
      this.#checkContent(requestBody ?? {}, 'application/json', exchange.sent, `request of ${operationId}`);
    }
    const entry = responses[exchange.status] ?? assert.fail(`${operationId} has no answer ${exchange.status}`);
    const name = '$ref' in entry ? entry.$ref.replace('#/components/responses/', '') : undefined;
    const response = name === undefined ? (entry as Content) : this.#components.responses[name];
    const type = String(exchange.headers['content-type']);
    this.#checkContent(response ?? assert.fail(name), type, exchange.body, `${exchange.status} of ${operationId}`);
  }

  #checkContent({ content }: Content, type: string, body: string, what: string): void {
    const media = content?.[type.split(';')[0] ?? ''] ?? assert.fail(`${what} has no type ${type}`);
    if (!type.startsWith('application/json')) return;
    // Ajv resolves references within the schema that it gets.
    const schema = closed({ ...media.schema, components: this.#components }) as Schema;
    const result = this.#validator.getValidator(schema)(JSON.parse(body));
    assert.ok(result.valid, `${what}: ${result.errorMessage} in ${body}`);
  }
}

/**
 * The schema with objects that have no further fields. Callers must accept those of later versions, but a test has to find
 * the fields that the description forgets.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closedSchema = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if ('properties' in schema) closedSchema['additionalProperties'] ??= false;
  return closedSchema;
}
