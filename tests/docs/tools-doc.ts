import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { listTools } from '../../app/mcp/server.ts';

/** Writes `docs/tools.md` from the tools' own schemas: `npx tsx tests/docs/tools-doc.ts`. A test keeps the file fresh. */

export const TOOLS_DOC_PATH = path.resolve(import.meta.dirname, '../../docs/tools.md');

/** What of JSON Schema stands in the tables. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
}

const HEAD = `# Tools

Every tool of the MCP server, from its own schemas (\`npx tsx tests/docs/tools-doc.ts\` writes this page, a test keeps it fresh).
Any call may instead end in a domain outcome (\`status\`, with \`reason\`, \`candidates\`, \`next_step\` where they help) or in an error (\`isError\` with \`code\`, \`message\`, \`next_step\`).
Keys of results are optional unless said otherwise: a key that has nothing to tell is left out.
`;

/** Keys every result may have; they are told once, above. */
const COMMON = new Set(['status', 'code', 'message', 'next_step', 'reason', 'candidates']);

/** The page as Prettier leaves it. */
export async function toolsDoc(): Promise<string> {
  const sections = listTools().map((tool) => {
    const input = tool.inputSchema as Schema;
    const output = (tool.outputSchema ?? {}) as Schema;
    const { readOnlyHint, destructiveHint, idempotentHint } = tool.annotations ?? {};
    const hints = [readOnlyHint ? 'reads only' : 'changes something', destructiveHint && 'destructive', idempotentHint && 'idempotent']
      .filter(Boolean)
      .join(', ');
    return [`## ${tool.name}`, `**${tool.title}** (${hints}). ${tool.description ?? ''}`, parameters(input), results(output)].join('\n\n');
  });
  const text = [HEAD, ...sections].join('\n\n');
  return format(text, { ...(await resolveConfig(TOOLS_DOC_PATH)), parser: 'markdown' });
}

function parameters(input: Schema): string {
  const rows = Object.entries(input.properties ?? {}).map(([name, schema]) => {
    const isRequired = input.required?.includes(name) === true && schema.default === undefined;
    const fallback = isRequired ? 'required' : schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``;
    return row([`\`${name}\``, typeOf(schema), fallback, boundsOf(schema), schema.description ?? '']);
  });
  return rows.length === 0
    ? 'No parameters.'
    : [row(['Parameter', 'Type', 'Default', 'Bounds', 'Meaning']), row(['---', '---', '---', '---', '---']), ...rows].join('\n');
}

function results(output: Schema): string {
  const entries = Object.entries(output.properties ?? {});
  const rows = entries
    .filter(([name, schema]) => !COMMON.has(name) || isOwnKey(name, schema))
    .map(([name, schema]) => row([`\`${name}\``, typeOf(schema), [schema.description, nestedKeys(schema)].filter(Boolean).join('. ')]));
  return rows.length === 0 ? '' : [row(['Result key', 'Type', 'Meaning']), row(['---', '---', '---']), ...rows].join('\n');
}

/** A tool may give a common key a meaning of its own, as get_message does with \`message\`. */
function isOwnKey(name: string, schema: Schema): boolean {
  return name === 'message' && schema.anyOf !== undefined;
}

function nestedKeys(schema: Schema): string {
  const object = schema.items?.properties ? schema.items : (schema.anyOf?.find((each) => each.properties) ?? schema);
  const keys = Object.keys(object.properties ?? {});
  return keys.length === 0 ? '' : `Keys: ${keys.map((key) => `\`${key}\``).join(', ')}`;
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  return Array.isArray(schema.type) ? schema.type.join(' or ') : typeof schema.type === 'string' ? schema.type : 'any';
}

function boundsOf(schema: Schema): string {
  const range = (low: number | undefined, high: number | undefined, unit: string) =>
    low === undefined && high === undefined ? '' : `${low ?? ''}–${high === undefined || high >= Number.MAX_SAFE_INTEGER ? '' : high}${unit}`;
  const isUnbounded = schema.minimum !== undefined && schema.minimum <= Number.MIN_SAFE_INTEGER;
  return [
    isUnbounded ? '' : range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    schema.pattern === undefined ? '' : `\`${schema.pattern}\``,
  ]
    .filter(Boolean)
    .join(', ');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(TOOLS_DOC_PATH, await toolsDoc());
}
