import { applyEdits, type Edit, findNodeAtLocation, getNodeValue, modify, type ParseError, parseTree } from 'jsonc-parser';

/** What a client runs to reach us. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Our key among the servers of a client. */
export const ENTRY_NAME = 'vestnik';

/** The configuration is not something we may edit without risk. */
export class ConfigUnusableError extends Error {
  readonly code = 'invalid_json';
}

const BOM = '\uFEFF';

/** Reads our entry. @param text content of the file, "" for none. @throws ConfigUnusableError */
export function readEntry(text: string, container: string): unknown {
  const root = parseConfig(text, container);
  const node = root && findNodeAtLocation(root, [container, ENTRY_NAME]);
  return node ? (getNodeValue(node) as unknown) : undefined;
}

/** The text with our entry written: everything else stays byte for byte, comments and layout included. @throws ConfigUnusableError */
export function writeEntry(text: string, container: string, entry: Readonly<Record<string, unknown>>): string {
  parseConfig(text, container);
  return edit(text, container, entry);
}

/** The text without our entry; an emptied container stays, it may be the person's own. @throws ConfigUnusableError */
export function removeEntry(text: string, container: string): string {
  return readEntry(text, container) === undefined ? text : edit(text, container, undefined);
}

function edit(text: string, container: string, value: unknown): string {
  const hasBom = text.startsWith(BOM);
  const body = hasBom ? text.slice(1) : text;
  const source = body.trim() === '' ? '{}\n' : body;
  // Unformatted: the library's formatting would also lay out the lines around ours anew, and those are not ours.
  const edits = modify(source, [container, ENTRY_NAME], value, {}).map((change) => ({ ...change, content: layOut(change, source) }));
  const edited = applyEdits(source, edits);
  parseConfig(edited, container); // never hand back what we could not read ourselves
  return hasBom ? BOM + edited : edited;
}

/** Spreads one compact insertion over lines, in the file's own indentation. What is inserted is a value, or `"key":value` with or without a comma before it. */
function layOut({ offset, length, content }: Edit, source: string): string {
  if (content === '') return content;
  const { unit, eol } = layoutOf(source);
  const indented = (json: unknown, depth: number): string => JSON.stringify(json, undefined, unit).replaceAll('\n', eol + unit.repeat(depth));
  if (length > 0) return indented(JSON.parse(content), 2); // the value of our entry is replaced
  const hasComma = content.startsWith(',');
  const property = JSON.parse(`{${hasComma ? content.slice(1) : content}}`) as Record<string, unknown>;
  const depth = ENTRY_NAME in property ? 1 : 0;
  const lines = indented(property, depth).slice(1, -1).trimEnd(); // without the braces; begins with a line end
  if (hasComma) return `,${lines}`;
  const isOnOneLine = /^[ \t]*}/.test(source.slice(offset));
  return isOnOneLine ? `${lines}${eol}${unit.repeat(depth)}` : lines;
}

/** Root of a readable configuration, or undefined for an empty file. Trailing commas and comments are the client's business. */
function parseConfig(text: string, container: string): ReturnType<typeof parseTree> {
  const body = text.startsWith(BOM) ? text.slice(1) : text;
  if (body.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true });
  if (errors.length > 0 || root?.type !== 'object') throw new ConfigUnusableError('not a JSON object');
  const servers = findNodeAtLocation(root, [container]);
  if (servers && servers.type !== 'object') throw new ConfigUnusableError(`${container} is not an object`);
  return root;
}

/** Indentation and line ends as the file has them. */
function layoutOf(text: string): { unit: string; eol: string } {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return { unit: unit.startsWith('\t') ? '\t' : unit, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** Whether an entry starts our present shim: same command and arguments; variables a person added are theirs. */
export function pointsTo(entry: unknown, wanted: ServerEntry): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { command, args, env } = entry as { command?: unknown; args?: unknown; env?: unknown };
  const sameArgs = JSON.stringify(args ?? []) === JSON.stringify(wanted.args);
  const actualEnv = (typeof env === 'object' && env !== null ? env : {}) as Record<string, unknown>;
  const sameEnv = Object.entries(wanted.env ?? {}).every(([name, value]) => actualEnv[name] === value);
  return command === wanted.command && sameArgs && sameEnv;
}
