import type { Call } from '../api.ts';
import { isoFromMcs } from '../time.ts';
import type { TargetView } from './target.ts';
import type { DraftPreview, WritingDeps } from './types.ts';
import { isFromMe } from './verify.ts';

/** What the card shows of the message that will be changed or deleted. */
export async function targetPreview(deps: WritingDeps, target: TargetView, call: Call): Promise<NonNullable<DraftPreview['target']>> {
  return {
    messageId: target.messageId,
    ...(target.authorName !== undefined && { author: target.authorName }),
    fromMe: await isFromMe(deps, target, call),
    timestamp: isoFromMcs(target.messageId, deps.ports.settings().timeZone),
    text: target.text,
    attachments: target.attachments,
    ...(target.readsCount !== undefined && { readsCount: target.readsCount }),
  };
}
