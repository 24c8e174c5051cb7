/** The wire's errors, handed on: `app/mcp` may not import the wire itself (design §1). */
export * from '../wire/errors.ts';
