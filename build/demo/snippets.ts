import { show } from './transcript.ts';

/** How to connect one's own client to the running demo. */
export function showSnippets(shimFile: string, userData: string): void {
  const server = { command: process.execPath, args: [shimFile], env: { VESTNIK_USER_DATA: userData } };
  show('For Claude Desktop (Settings → Developer → Edit Config):', JSON.stringify({ mcpServers: { vestnik: server } }, null, 2));
  const quote = (text: string): string => (/^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const command = ['claude', 'mcp', 'add', 'vestnik', '--env', `VESTNIK_USER_DATA=${userData}`, '--', process.execPath, shimFile];
  show('For Claude Code:', command.map(quote).join(' '));
}
