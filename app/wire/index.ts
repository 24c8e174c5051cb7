/** The wire's public face. Other folders import from here alone. */
export type * from './api.ts';
export type * from './ports.ts';
export * from './errors.ts';
export { isLoopbackHost, parseProtocol, ProtocolConfigError, protocolSchema } from './protocol.ts';
export type { Protocol } from './protocol.ts';
export { isJsonObject, objectAt, stringAt } from './json.ts';
export { mcsToJson, mcsToString } from './numbers.ts';
