export { appWindow, killApp, launchApp, loginWindow, pageWhere, projectRoot, type LaunchedApp, type LaunchOptions } from './app.ts';
export { mcpClient, shimFile, type McpClient, type McpClientOptions, type ToolAnswer } from './client.ts';
export { hasKeyring, type Keyring, startKeyring } from './keyring.ts';
export { screenshot } from './screenshot.ts';
export { temporaryFolder } from './folders.ts';
export { waitFor } from './wait.ts';
