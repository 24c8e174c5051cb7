import type { ReactNode } from 'react';

/** Outline icons, 20 × 20, drawn in the text's colour; never the only carrier of meaning. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const DraftsIcon = () => (
  <Icon>
    <path d="M3 5.5h14v9.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z" />
    <path d="m3.5 6 6.5 5 6.5-5" />
  </Icon>
);
export const ActivityIcon = () => (
  <Icon>
    <path d="M4 5.5h12M4 10h12M4 14.5h7" />
  </Icon>
);
export const ChatsIcon = () => (
  <Icon>
    <path d="M3 5a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H9l-3.5 3v-3H4a1 1 0 0 1-1-1z" />
  </Icon>
);
export const ConnectIcon = () => (
  <Icon>
    <path d="M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v2.5" />
  </Icon>
);
export const SettingsIcon = () => (
  <Icon>
    <path d="M3 6h7M14 6h3M3 14h3M10 14h7" />
    <circle cx="12" cy="6" r="2" />
    <circle cx="8" cy="14" r="2" />
  </Icon>
);
export const PauseIcon = () => (
  <Icon>
    <path d="M7.5 5v10M12.5 5v10" />
  </Icon>
);
export const PlayIcon = () => (
  <Icon>
    <path d="M7 5l8 5-8 5z" />
  </Icon>
);
export const FileIcon = () => (
  <Icon>
    <path d="M5.5 3H11l3.5 3.5V17h-9zM11 3v3.5h3.5" />
  </Icon>
);
export const FeatherIcon = () => (
  <Icon>
    <path d="M3 7.5V16h12v-5" />
    <path d="m3 8 6 4.5" />
    <path d="M9 12.5c.5-5 3-8.500 8-9.500-.5 4.500-3 8-8 9.500zM12.500 7.500 9 12.500" />
  </Icon>
);
