import { type NativeImage, nativeImage } from 'electron';
import type { Draft } from '../app/approvals/index.ts';
import { type DraftCard, draftCardSchema } from '../app/ipc/contract.ts';

/** How long a finished draft stays among the cards, so that its outcome is seen where the click was. */
export const FINISHED_SHOWN_MS = 60_000;

const THUMBNAIL_PIXELS = 240;
const MAX_THUMBNAIL_FILE_BYTES = 25 * 1024 * 1024; // decoding a larger one would be felt

/** Drafts as the window lists them: what waits, oldest first, then what finished a moment ago. */
export function visibleDrafts(drafts: readonly Draft[], nowMs: number): Draft[] {
  const waiting = drafts.filter((draft) => draft.status === 'pending' || draft.status === 'committing');
  const finished = drafts.filter((draft) => draft.finishedAt !== undefined && nowMs - draft.finishedAt <= FINISHED_SHOWN_MS);
  const byCreation = (a: Draft, b: Draft): number => a.createdAt - b.createdAt;
  return [...waiting.sort(byCreation), ...finished.sort(byCreation)];
}

/** One draft as a card; undefined for a tool the window has no card for. */
export function draftCard(draft: Draft, thumbnail: string | null): DraftCard | undefined {
  const tool = draftCardSchema.shape.tool.safeParse(draft.tool);
  if (!tool.success) return undefined;
  const { preview, outcome } = draft;
  const { reply, forward, target, file, vote, poll } = preview;
  return {
    id: draft.id,
    tool: tool.data,
    status: draft.status,
    chat: {
      id: draft.chat.id,
      name: draft.chat.name ?? null,
      kind: draft.chat.kind,
      members: draft.chat.members ?? null,
      hint: draft.chat.hint ?? null,
      isNameShared: draft.chat.isNameShared ?? false,
    },
    client: { name: draft.client.name, version: draft.client.version ?? null },
    createdAt: draft.createdAt,
    expiresAt: draft.expiresAt,
    text: preview.text ?? null,
    originalText: draft.editedText === undefined ? null : (draft.originalText ?? null),
    canEdit: draft.status === 'pending' && preview.text !== undefined && (draft.tool === 'send_message' || draft.tool === 'edit_message'),
    mentions: (preview.mentions ?? []).map(({ guid, name }) => ({ guid, name: name ?? null })),
    reply: reply ? { author: reply.author ?? null, quote: reply.quote, truncated: reply.truncated } : null,
    forward: forward
      ? { chatName: forward.chatName ?? null, author: forward.author ?? null, text: forward.text ?? null, attachments: [...forward.attachments] }
      : null,
    target: target
      ? {
          author: target.author ?? null,
          fromMe: target.fromMe,
          timestamp: target.timestamp,
          text: target.text,
          attachments: [...target.attachments],
          readsCount: target.readsCount ?? null,
        }
      : null,
    file: file ? { ...file, width: file.width ?? null, height: file.height ?? null, thumbnail } : null,
    vote: vote ? { question: vote.question, options: vote.options.map((option) => ({ ...option })), isAnonymous: vote.isAnonymous } : null,
    poll: poll ? { ...poll, answers: [...poll.answers] } : null,
    outcome: outcome
      ? {
          status: outcome.status,
          code: outcome.status === 'failed' ? outcome.code : null,
          message: outcome.status === 'sent' ? null : outcome.message,
        }
      : null,
    finishedAt: draft.finishedAt ?? null,
  };
}

/** Makes cards and remembers what a draft alone does not hold: small pictures of files. */
export class Cards {
  private readonly thumbnails = new Map<string, string | null>();

  list(drafts: readonly Draft[], nowMs: number): DraftCard[] {
    const visible = visibleDrafts(drafts, nowMs);
    const ids = new Set(visible.map((draft) => draft.id));
    for (const id of this.thumbnails.keys()) if (!ids.has(id)) this.thumbnails.delete(id);
    return visible.map((draft) => draftCard(draft, this.thumbnail(draft))).filter((card) => card !== undefined);
  }

  private thumbnail(draft: Draft): string | null {
    const file = draft.preview.file;
    if (!file || file.kind !== 'image' || file.sizeBytes > MAX_THUMBNAIL_FILE_BYTES) return null;
    const known = this.thumbnails.get(draft.id);
    if (known !== undefined) return known;
    const made = thumbnailOf(file.path);
    this.thumbnails.set(draft.id, made);
    return made;
  }
}

function thumbnailOf(file: string): string | null {
  let image: NativeImage;
  try {
    image = nativeImage.createFromPath(file);
  } catch {
    return null;
  }
  if (image.isEmpty()) return null;
  const { width, height } = image.getSize();
  const scale = Math.min(1, THUMBNAIL_PIXELS / Math.max(width, height));
  return image.resize({ width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }).toDataURL();
}
