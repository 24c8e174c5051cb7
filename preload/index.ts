import { contextBridge, ipcRenderer } from 'electron';
import type { EventChannel, EventPayload, InvokeArgs, InvokeChannel, InvokeResult, VestnikBridge } from '../app/ipc/contract.ts';

/**
 * The one bridge of our own window. Remote pages get no preload at all. The lists repeat the contract's names so that no schema library has to be
 * loaded here; the compiler holds them complete.
 */
const INVOKE_CHANNELS: Readonly<Record<InvokeChannel, true>> = {
  'session:get': true,
  'session:signIn': true,
  'session:signOut': true,
  'session:setPaused': true,
  'session:dismissNotice': true,
  'drafts:list': true,
  'drafts:confirm': true,
  'drafts:reject': true,
  'drafts:edit': true,
  'activity:page': true,
  'activity:facets': true,
  'activity:export': true,
  'activity:clear': true,
  'chats:list': true,
  'chats:setAccess': true,
  'clients:list': true,
  'clients:connect': true,
  'clients:disconnect': true,
  'clients:snippets': true,
  'settings:get': true,
  'settings:update': true,
  'settings:pickFolder': true,
  'settings:diagnostics': true,
  'settings:removeEverything': true,
  'update:get': true,
  'update:check': true,
  'update:restart': true,
  'clipboard:write': true,
  'app:environment': true,
};

const EVENT_CHANNELS: Readonly<Record<EventChannel, true>> = {
  'session:changed': true,
  'drafts:changed': true,
  'activity:changed': true,
  'settings:changed': true,
  'clients:changed': true,
  'update:changed': true,
  navigate: true,
};

/** As `main/ipc.ts` answers. */
type GateAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly code: string };

const bridge: VestnikBridge = {
  async invoke<C extends InvokeChannel>(channel: C, args: InvokeArgs<C>): Promise<InvokeResult<C>> {
    if (!Object.hasOwn(INVOKE_CHANNELS, channel)) throw new Error('unknown_channel');
    const answer = (await ipcRenderer.invoke(channel, args)) as GateAnswer;
    if (!answer.ok) throw new Error(answer.code);
    return answer.value as InvokeResult<C>;
  },
  on<C extends EventChannel>(channel: C, listener: (payload: EventPayload<C>) => void): () => void {
    if (!Object.hasOwn(EVENT_CHANNELS, channel)) throw new Error('unknown_channel');
    const forward = (_event: unknown, payload: EventPayload<C>): void => listener(payload);
    ipcRenderer.on(channel, forward);
    return () => ipcRenderer.off(channel, forward);
  },
};

contextBridge.exposeInMainWorld('vestnik', bridge);
