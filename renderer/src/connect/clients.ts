import type { McpClientView } from '../../../app/ipc/contract.ts';
import type { MessageKey } from '../i18n/en.ts';

/** Products' own names, the same in every language. */
export const CLIENT_NAMES: Record<McpClientView['id'], string> = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
};

/** The one most telling fact about a client. */
export function clientState(client: McpClientView): { key: MessageKey; tone: 'good' | 'warn' | 'plain' } {
  if (client.connected) return { key: 'connect.connected', tone: 'good' };
  if (client.outdated) return { key: 'connect.outdated', tone: 'warn' };
  if (client.configured) return { key: 'connect.configured', tone: 'plain' };
  if (client.detected) return { key: 'connect.detected', tone: 'plain' };
  return { key: 'connect.notFound', tone: 'plain' };
}
