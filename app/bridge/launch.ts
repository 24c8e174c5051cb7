import path from 'node:path';
import { BridgeError } from './errors.ts';
import { checkPrivateFolder, readPrivateFile, writePrivateFile } from './private-files.ts';

/** How to start the app in the background. The app writes it at every start, because it may have been moved. */
export interface LaunchCommand {
  /** Absolute path of a program. */
  readonly command: string;
  readonly args: readonly string[];
}

function launchFile(folder: string): string {
  return path.join(folder, 'launch.json');
}

/** Keeps the command for the shim, mode 0600. The folder has to exist. */
export function writeLaunchCommand(folder: string, { command, args }: LaunchCommand): void {
  writePrivateFile(launchFile(folder), `${JSON.stringify({ version: 1, command, args })}\n`);
}

/**
 * Reads the command. It will be run, so it is trusted only where nobody else could have written it.
 * @returns undefined if the app has never run with this data folder
 * @throws BridgeError `folder_unsafe`, `file_unsafe`, `file_malformed`
 */
export function readLaunchCommand(folder: string): LaunchCommand | undefined {
  const file = launchFile(folder);
  const text = readPrivateFile(file);
  if (text === undefined) return undefined;
  checkPrivateFolder(folder);
  const malformed = (): BridgeError => new BridgeError('file_malformed', `${file} is damaged.`, 'Start Vestnik yourself: it writes a new file.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (typeof value !== 'object' || value === null) throw malformed();
  const { command, args } = value as Record<string, unknown>;
  if (typeof command !== 'string' || !path.isAbsolute(command)) throw malformed();
  if (!Array.isArray(args) || !args.every((argument): argument is string => typeof argument === 'string')) throw malformed();
  return { command, args };
}
