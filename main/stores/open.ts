import path from 'node:path';
import type { Log } from '../../app/wire/ports.ts';
import { personFolder } from '../paths.ts';
import { FileDraftStore } from './drafts.ts';
import { detectProtection } from './keyring.ts';
import { localCipher } from './local-key.ts';
import type { Notices } from './notices.ts';
import { PauseMemory } from './pause.ts';
import { FilePolicyStore } from './policy.ts';
import { type Protection, SecretBox } from './secrets.ts';
import { defaultSettings, SettingsStore } from './settings.ts';
import { SignInRecord } from './sign-in-record.ts';

/** Everything that outlives the app. */
export interface Stores {
  readonly settings: SettingsStore;
  readonly secrets: SecretBox;
  readonly protection: Protection;
  readonly drafts: FileDraftStore;
  readonly policy: FilePolicyStore;
  readonly signIn: SignInRecord;
  readonly pause: PauseMemory;
}

/** Settings, what may be encrypted, drafts, and what the person allows. Broken files are kept aside and named in `notices`. */
export async function openStores(userData: string, notices: Notices, log: Log): Promise<Stores> {
  const folders = (['downloads', 'documents', 'desktop', 'pictures'] as const).map(personFolder).filter((folder) => folder !== undefined);
  const settings = new SettingsStore(userData, defaultSettings({ allowed: folders, downloads: path.join(userData, 'downloads') }));
  const { protection, cipher } = await detectProtection();
  const secrets = new SecretBox(cipher, localCipher(userData));
  const drafts = new FileDraftStore(userData, secrets);
  const policy = new FilePolicyStore(userData, settings);
  const pause = new PauseMemory(userData);
  pause.note(settings.get().mode);
  settings.onChange(({ mode }) => pause.note(mode));
  notices.add(...settings.notices, ...drafts.notices, ...policy.notices);
  if (protection === 'keyring_locked') notices.add({ code: 'keyring_locked', detail: '' });
  log.info('stores_open', { protection });
  return { settings, secrets, protection, drafts, policy, signIn: new SignInRecord(userData), pause };
}
