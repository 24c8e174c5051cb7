/** What the command line of a launch asks for. Pure: the same rules hold for the first instance and for a second one. */
export interface LaunchOptions {
  /** Start in the tray without a window (start at login, or a shim that needs the app). */
  readonly isHidden: boolean;
  /** Draft named by a `vestnik://draft/<id>` link. */
  readonly draftId: string | undefined;
}

export const DEEP_LINK_SCHEME = 'vestnik';

const DRAFT_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The draft a deep link names, or undefined for anything else. A link may open a card and nothing more (design §3:
 * only a click in the window confirms), so unknown hosts, queries and longer paths are refused rather than guessed.
 */
export function parseDeepLink(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const url = new URL(link);
  if (url.protocol !== `${DEEP_LINK_SCHEME}:` || url.hostname !== 'draft') return undefined;
  if (url.search || url.hash || url.username || url.password || url.port) return undefined;
  const id = url.pathname.replace(/^\//, '');
  return DRAFT_ID.test(id) ? id : undefined;
}

/** Reads the arguments of a launch; what it does not know belongs to Electron or Chromium and is left alone. */
export function parseLaunchOptions(argv: readonly string[]): LaunchOptions {
  const link = argv.find((argument) => argument.startsWith(`${DEEP_LINK_SCHEME}:`));
  return { isHidden: argv.includes('--hidden'), draftId: link === undefined ? undefined : parseDeepLink(link) };
}
