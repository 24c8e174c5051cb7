import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { app, safeStorage } from 'electron';
import type { Cipher, Protection } from './secrets.ts';

const PROBE_LIMIT_MS = 6_000; // a start of Electron plus an unlocked keyring's answer; a locked one never answers

/** Argument of a launch that only asks the keyring and ends. */
export const PROBE_ARGUMENT = '--vestnik-probe-keyring';
const ANSWER_REAL = 'vestnik-keyring:real';

/**
 * Asks whether the system really encrypts. On Linux with a keyring that is locked, `safeStorage` blocks its process for ever, so a throw-away
 * process of ours asks first and is given a deadline; only after its yes does this process touch the keyring. Call after Electron is ready.
 */
export async function detectProtection(): Promise<{ protection: Protection; cipher: Cipher | undefined }> {
  if (process.platform !== 'linux') {
    return safeStorage.isEncryptionAvailable() ? { protection: 'encrypted', cipher } : { protection: 'no_keyring', cipher: undefined };
  }
  if (['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())) return { protection: 'no_keyring', cipher: undefined };
  const answer = await askInOwnProcess();
  if (answer === 'real' && safeStorage.isEncryptionAvailable()) return { protection: 'encrypted', cipher };
  return { protection: answer === 'timeout' ? 'keyring_locked' : 'no_keyring', cipher: undefined };
}

const cipher: Cipher = {
  encrypt: (text) => safeStorage.encryptString(text),
  decrypt: (bytes) => safeStorage.decryptString(bytes),
};

/** What the throw-away process does: ask, say, end. */
export async function answerProbe(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vestnik-probe-'));
  app.setPath('userData', folder);
  app.setPath('sessionData', folder);
  await app.whenReady();
  const isReal = safeStorage.isEncryptionAvailable() && safeStorage.getSelectedStorageBackend() !== 'basic_text';
  process.stdout.write(isReal ? `${ANSWER_REAL}\n` : 'none\n', () => {
    fs.rmSync(folder, { recursive: true, force: true });
    app.exit(0);
  });
}

function askInOwnProcess(): Promise<'real' | 'none' | 'timeout'> {
  // The switches that choose keyring and sandbox have to be the same; an unpackaged app also needs its folder named.
  const switches = process.argv.filter((argument) => /^--(password-store|no-sandbox|ozone-platform)/.test(argument));
  const args = [...switches, ...(app.isPackaged ? [] : [app.getAppPath()]), PROBE_ARGUMENT];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
    let output = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve('timeout');
    }, PROBE_LIMIT_MS);
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.once('error', () => {
      clearTimeout(timer);
      resolve('none');
    });
    child.once('close', () => {
      clearTimeout(timer);
      resolve(output.includes(ANSWER_REAL) ? 'real' : 'none');
    });
  });
}
