import { z } from 'zod';
import { isoTime } from '../time.ts';
import { defineTool, resultOf, type Services, type ToolContext } from '../tool.ts';

/** How long the answer may wait for a sign-in that is being proven anyway: right after start the truth is a moment away. */
const SETTLE_WITHIN_MS = 3000;

const WHAT_TO_DO: Readonly<Record<ReturnType<Services['sessionState']>, string>> = {
  signed_out: 'Nobody is signed in. Ask the person to sign in in the Vestnik window (tray icon, Sign in); other tools answer not_signed_in until then.',
  signing_in: 'The person is signing in, or Vestnik is renewing the session. Wait a moment and call again.',
  online: 'Everything works.',
  reconnecting: 'The connection to Messenger was lost and is being restored. Calls may be slow or fail; call again in a moment.',
  paused: 'The person has paused all agents. Wait until they resume them in the Vestnik window.',
};

export const sessionStatus = defineTool({
  name: 'session_status',
  title: 'Session status',
  description:
    'Whether Vestnik is signed in and connected, as whom, what the person allows, and how many drafts wait. Always answers, also when nobody is signed in.',
  effect: 'status',
  input: z.strictObject({}),
  output: resultOf({
    state: z.enum(['signed_out', 'signing_in', 'online', 'reconnecting', 'paused']),
    since: z.string().describe('Since when, ISO 8601 with offset'),
    name: z.string().describe('Who is signed in'),
    guid: z.string(),
    mode: z.enum(['full', 'read_only', 'paused']).describe('What the person allows agents'),
    drafts: z.looseObject({ pending: z.number(), committing: z.number() }).describe('Drafts that wait for the person, and that are being carried out'),
    time_zone: z.string(),
    version: z.string(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(_args, context) {
    const { services } = context;
    await settle(context);
    const { messenger, approvals, policy } = services;
    const state = services.sessionState();
    const identity = messenger.ports.wire.identity;
    const drafts = approvals.list();
    const count = (status: string) => drafts.filter((draft) => draft.status === status).length;
    return {
      status: 'ok',
      state,
      since: isoTime(messenger.stateSince(), services.timeZone()),
      ...(identity && { guid: identity.guid, ...(identity.displayName !== undefined && { name: identity.displayName }) }),
      mode: policy.mode,
      drafts: { pending: count('pending'), committing: count('committing') },
      time_zone: services.timeZone(),
      version: services.appVersion,
      next_step: policy.mode === 'read_only' && state === 'online' ? 'Reading works; the person allows no writing.' : WHAT_TO_DO[state],
    };
  },
});

/** Waits, briefly, while the session is neither proven nor refused. Never fails and never waits for a person. */
async function settle(context: ToolContext): Promise<void> {
  const { messenger, sessionState } = context.services;
  if (sessionState() !== 'signing_in') return;
  let cancel = () => {};
  const enough = new Promise<void>((resolve) => (cancel = messenger.ports.clock.after(SETTLE_WITHIN_MS, resolve)));
  const proven = messenger.directory.me(context).then(
    () => undefined,
    () => undefined, // the state that is told next says why
  );
  await Promise.race([proven, enough]);
  cancel();
}
