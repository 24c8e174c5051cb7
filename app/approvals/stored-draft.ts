import { z } from 'zod';
import type { Draft } from './types.ts';

/** What a stored record must have to be a draft; payload and preview are the business of the operation that wrote them. */
const storedDraft = z.looseObject({
  id: z.string().min(1),
  token: z.string().min(1),
  tool: z.string().min(1),
  chat: z.looseObject({ id: z.string().min(1), kind: z.string() }),
  client: z.looseObject({ name: z.string() }),
  createdAt: z.number(),
  expiresAt: z.number(),
  status: z.enum(['pending', 'committing', 'sent', 'failed', 'unknown', 'rejected', 'expired']),
  fingerprint: z.string(),
  payload: z.record(z.string(), z.unknown()),
  preview: z.looseObject({}),
});

/** Whether a value read back from storage is a draft; stores keep anything else aside. */
export function isStoredDraft(value: unknown): value is Draft {
  return storedDraft.safeParse(value).success;
}
