import type { Settings } from '../app/ipc/contract.ts';
import type { Protocol } from '../app/wire/protocol.ts';
import { parseOverrides, refusedConstants, resolveProtocol } from './protocol-config.ts';
import type { Notices } from './stores/notices.ts';

/** The constants in force; what cannot be used of the person's own is left out and named in `notices`. */
export function protocolInForce(
  { frontDoor, protocolOverrides }: Pick<Settings, 'frontDoor' | 'protocolOverrides'>,
  file: Record<string, unknown>,
  notices: Notices,
): Protocol {
  let overrides: Record<string, unknown> = {};
  try {
    overrides = parseOverrides(protocolOverrides);
  } catch (error) {
    notices.add({ code: 'protocol_invalid', detail: refusedConstants(error) });
  }
  const { protocol, unknownKeys } = resolveProtocol({ frontDoor, settings: overrides, file });
  if (unknownKeys.length > 0) notices.add({ code: 'protocol_unknown_keys', detail: unknownKeys.join(', ') });
  return protocol;
}
