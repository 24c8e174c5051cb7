/** URL of the first usable proxy in Chromium's answer (`PROXY a:1; SOCKS5 b:2; DIRECT`), or undefined for a direct connection. */
export function firstProxyUrl(answer: string): string | undefined {
  for (const entry of answer.split(';')) {
    const [kind, address] = entry.trim().split(/\s+/, 2);
    switch (kind?.toUpperCase()) {
      case 'DIRECT':
        return undefined;
      case 'PROXY':
        if (address) return `http://${address}`;
        break;
      case 'HTTPS':
        if (address) return `https://${address}`;
        break;
      case 'SOCKS':
      case 'SOCKS4':
        if (address) return `socks4://${address}`;
        break;
      case 'SOCKS5':
        if (address) return `socks5h://${address}`; // h: the proxy resolves names, as in Chromium
        break;
      default:
        break;
    }
  }
  return undefined;
}
