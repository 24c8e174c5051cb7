import { z } from 'zod';

/**
 * Protocol constants (protocol page, table at the top; grade L unless noted). They are configuration,
 * never literals elsewhere: when Yandex moves a host, a person edits settings, not source.
 */

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for a host that never leaves this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOSTS.has(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function urlWith(secure: string, plain: string) {
  return z.string().superRefine((value, context) => {
    if (!URL.canParse(value)) {
      context.addIssue({ code: 'custom', message: `is not a valid URL: ${value}` });
      return;
    }
    const url = new URL(value);
    if (url.protocol === secure) return;
    if (url.protocol === plain && isLoopbackHost(url.hostname)) return;
    context.addIssue({ code: 'custom', message: `must use ${secure}// (${plain}// is accepted for loopback addresses only): ${value}` });
  });
}

const httpUrl = urlWith('https:', 'http:');
const socketUrl = urlWith('wss:', 'ws:');
const headerToken = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII');

export const protocolSchema = z.object({
  registryUrl: httpUrl.default('https://yandex.ru/messenger/api/registry/api/'),
  csrfTokenUrl: httpUrl.default('https://yandex.ru/messenger/api/registry/csrf-token/'),
  socketUrl: socketUrl.default('wss://push.yandex.ru/v2/subscribe/websocket'),
  messengerPageUrl: httpUrl.default('https://yandex.ru/chat'),
  privateFilesUrl: httpUrl.default('https://files.messenger.yandex.ru'),
  publicFilesUrl: httpUrl.default('https://files.messenger.yandex.net'),
  origin: httpUrl.default('https://yandex.ru'),
  cookieDomain: z.string().min(1).default('yandex.ru'),
  xivaServiceName: headerToken.default('messenger-prod'),
  serviceId: z.number().int().nonnegative().default(27),
  userAgent: headerToken.default('chats-web/3.22.0'),
  /** Yandex 360 organization for `X-Ya-Organization-Id` (§2, grade B); null sends no header. */
  organizationId: z
    .union([headerToken, z.number().int().transform(String)])
    .nullable()
    .default(null),
});

export type Protocol = Readonly<z.infer<typeof protocolSchema>>;

/** Thrown for constants that cannot be used; `problems` names each key and what is wrong with it. */
export class ProtocolConfigError extends Error {
  readonly code = 'protocol_config';
  constructor(readonly problems: readonly string[]) {
    super(`protocol constants are not usable: ${problems.join('; ')}`);
  }
}

/**
 * Completes any subset of the constants with the defaults.
 * Unknown keys are dropped and reported in `unknownKeys`, so that a typo can be shown without locking a person out.
 * @throws ProtocolConfigError naming every bad key.
 */
export function parseProtocol(overrides: unknown = {}): { protocol: Protocol; unknownKeys: string[] } {
  const result = protocolSchema.safeParse(overrides);
  if (!result.success) {
    throw new ProtocolConfigError(result.error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`));
  }
  const known = new Set(Object.keys(protocolSchema.shape));
  return { protocol: result.data, unknownKeys: Object.keys(overrides as object).filter((key) => !known.has(key)) };
}
