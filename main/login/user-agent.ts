/**
 * A plain Chrome user agent: without Electron's and the app's tokens (protocol §2: every working wrapper sends one), and with the minor
 * version zeroed, as Chrome itself does.
 */
export function plainChromeUserAgent(userAgent: string): string {
  return userAgent
    .split(/ (?![^(]*\))/)
    .filter((token) => /^(Mozilla|AppleWebKit|Chrome|Safari)\//.test(token) || token.startsWith('('))
    .join(' ')
    .replace(/Chrome\/(\d+)[\d.]*/, 'Chrome/$1.0.0.0');
}
