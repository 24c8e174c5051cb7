import { describe, expect, it } from 'vitest';
import { BRIDGE_PROTOCOL, newSecret } from '../../app/bridge/endpoint.ts';
import { BridgeError } from '../../app/bridge/errors.ts';
import { admit, challengeShim, greetApp, isProof, newNonce, proofOf, refuse, versionMismatch, type LineDialogue } from '../../app/bridge/handshake.ts';

/** One end of a wire in memory; `said` is what it has written. */
class End implements LineDialogue {
  readonly said: string[] = [];
  peer: End | undefined;
  readonly #inbox: string[] = [];
  #wake: (() => void) | undefined;

  write(line: string): void {
    this.said.push(line);
    this.peer?.hear(line);
  }

  hear(line: string): void {
    this.#inbox.push(line);
    this.#wake?.();
  }

  async nextLine(): Promise<Buffer> {
    while (this.#inbox.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return Buffer.from(this.#inbox.shift() as string);
  }
}

function wire(): { shim: End; app: End } {
  const [shim, app] = [new End(), new End()];
  shim.peer = app;
  app.peer = shim;
  return { shim, app };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof BridgeError ? error.code : String(error)),
  );
}

describe('the handshake', () => {
  it('lets the two meet who know the same secret, and never says the secret', async () => {
    const secret = newSecret();
    const { shim, app } = wire();
    const server = challengeShim(app, secret, '2.0.0').then((hello) => {
      admit(app);
      return hello;
    });
    expect(await greetApp(shim, secret, '1.0.0')).toEqual({ appVersion: '2.0.0' });
    expect(await server).toEqual({ shimVersion: '1.0.0' });
    const everything = [...shim.said, ...app.said].join('\n');
    for (const encoding of ['base64url', 'base64', 'hex'] as const) expect(everything).not.toContain(secret.toString(encoding));
  });

  it('says nothing before the shim has spoken', async () => {
    const { app } = wire();
    void challengeShim(app, newSecret(), '1.0.0');
    await new Promise((resolve) => setImmediate(resolve));
    expect(app.said).toEqual([]);
  });

  it('tells the shim that another program answers in the place of the app, before the shim has proved anything', async () => {
    const { shim, app } = wire();
    void challengeShim(app, newSecret(), '1.0.0').catch(() => undefined);
    expect(await codeOf(greetApp(shim, newSecret(), '1.0.0'))).toBe('proof_wrong');
    expect(shim.said).toHaveLength(1);
  });

  it('refuses a proof of an earlier handshake', async () => {
    const secret = newSecret();
    const first = wire();
    const server = challengeShim(first.app, secret, '1.0.0').then(() => admit(first.app));
    await greetApp(first.shim, secret, '1.0.0');
    await server;

    const second = wire();
    const replayed = challengeShim(second.app, secret, '1.0.0');
    for (const line of first.shim.said) second.shim.write(line);
    expect(await codeOf(replayed)).toBe('proof_wrong');
  });

  it("refuses the server's own proof sent back to it", async () => {
    const secret = newSecret();
    const { shim, app } = wire();
    const server = challengeShim(app, secret, '1.0.0');
    shim.write(JSON.stringify({ hello: 'vestnik-bridge', protocol: BRIDGE_PROTOCOL, role: 'mcp', shimVersion: '1.0.0', clientNonce: newNonce() }));
    const { serverProof } = JSON.parse((await shim.nextLine()).toString()) as { serverProof: string };
    shim.write(JSON.stringify({ clientProof: serverProof }));
    expect(await codeOf(server)).toBe('proof_wrong');
  });

  it.each([
    '',
    'hello',
    '[]',
    'null',
    '{"hello":"vestnik-bridge"}',
    `{"hello":"other","protocol":${BRIDGE_PROTOCOL},"role":"mcp","shimVersion":"1","clientNonce":"${newNonce()}"}`,
    `{"hello":"vestnik-bridge","protocol":${BRIDGE_PROTOCOL},"role":"root","shimVersion":"1","clientNonce":"${newNonce()}"}`,
    `{"hello":"vestnik-bridge","protocol":${BRIDGE_PROTOCOL},"role":"mcp","shimVersion":"1","clientNonce":"short"}`,
    `{"hello":"vestnik-bridge","protocol":${BRIDGE_PROTOCOL},"role":"mcp","shimVersion":"1\\n2","clientNonce":"${newNonce()}"}`,
  ])('gives no answer to %s', async (line) => {
    const { shim, app } = wire();
    const server = challengeShim(app, newSecret(), '1.0.0');
    shim.write(line);
    expect(await codeOf(server)).toBe('handshake_malformed');
    expect(app.said).toEqual([]);
  });

  it('takes a proof for its own side, nonces and secret only', () => {
    const secret = newSecret();
    const [clientNonce, serverNonce] = [newNonce(), newNonce()];
    const proof = proofOf(secret, 'shim', clientNonce, serverNonce);
    expect(isProof(proof, secret, 'shim', clientNonce, serverNonce)).toBe(true);
    expect(isProof(proof, secret, 'app', clientNonce, serverNonce)).toBe(false);
    expect(isProof(proof, newSecret(), 'shim', clientNonce, serverNonce)).toBe(false);
    expect(isProof(proof, secret, 'shim', newNonce(), serverNonce)).toBe(false);
    expect(isProof(proof, secret, 'shim', clientNonce, newNonce())).toBe(false);
    for (const other of [undefined, null, 1, '', `${proof}x`, [proof], { proof }]) expect(isProof(other, secret, 'shim', clientNonce, serverNonce)).toBe(false);
  });

  it('says which side is the old one', async () => {
    const base = { shimVersion: '1.0.0', appVersion: '2.0.0' };
    expect(versionMismatch({ ...base, shimProtocol: 1, appProtocol: 2 }).message).toBe('This vestnik-mcp (1.0.0) is older than Vestnik (2.0.0).');
    expect(versionMismatch({ ...base, shimProtocol: 3, appProtocol: 2 }).message).toBe('The running Vestnik (2.0.0) is older than this vestnik-mcp (1.0.0).');

    const { shim, app } = wire();
    const server = challengeShim(app, newSecret(), '2.0.0');
    shim.write(JSON.stringify({ hello: 'vestnik-bridge', protocol: BRIDGE_PROTOCOL + 1, role: 'mcp', shimVersion: '3.0.0', clientNonce: newNonce() }));
    expect(await codeOf(server)).toBe('version_mismatch');
    expect(JSON.parse(app.said[0] as string)).toEqual({ error: 'version_mismatch', protocol: BRIDGE_PROTOCOL, appVersion: '2.0.0' });

    const old = wire();
    const greeting = greetApp(old.shim, newSecret(), '1.0.0');
    old.app.write(JSON.stringify({ error: 'version_mismatch', protocol: BRIDGE_PROTOCOL + 1, appVersion: '9.0.0' }));
    await expect(greeting).rejects.toThrow('This vestnik-mcp (1.0.0) is older than Vestnik (9.0.0).');
  });

  it('tells a client that there are too many', async () => {
    const secret = newSecret();
    const { shim, app } = wire();
    void challengeShim(app, secret, '1.0.0').then(() => refuse(app, new BridgeError('too_many_clients', 'full'), '1.0.0'));
    expect(await codeOf(greetApp(shim, secret, '1.0.0'))).toBe('too_many_clients');
  });
});
