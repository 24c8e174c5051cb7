import fs from 'node:fs';
import path from 'node:path';
import { app, Menu, type MenuItemConstructorOptions, nativeImage, type NativeImage, Tray } from 'electron';
import { type TrayCommand, type TrayIcon, type TrayItem, type TrayState, trayView } from './tray-menu.ts';

/** Owner of the one tray icon: takes states, draws them, hands commands on. Setting the same state twice draws nothing. */
export class AppTray {
  private readonly tray: Tray;
  private shown = '';

  constructor(
    private readonly assets: string,
    state: TrayState,
    private readonly onCommand: (command: TrayCommand) => void,
  ) {
    this.tray = new Tray(this.icon(trayView(state).icon));
    // Windows and Linux open by a click; on macOS a click shows the menu.
    if (process.platform !== 'darwin') this.tray.on('click', () => this.onCommand('open'));
    this.render(state);
  }

  render(state: TrayState): void {
    const view = trayView(state);
    const key = JSON.stringify(view);
    if (key === this.shown) return;
    this.shown = key;
    this.tray.setImage(this.icon(view.icon));
    this.tray.setToolTip(view.tooltip);
    if (process.platform === 'darwin') this.tray.setTitle(view.title);
    this.tray.setContextMenu(Menu.buildFromTemplate(view.items.map((item) => this.toElectron(item))));
    app.setBadgeCount(state.pendingDrafts);
  }

  destroy(): void {
    this.tray.destroy();
  }

  private toElectron(item: TrayItem): MenuItemConstructorOptions {
    switch (item.kind) {
      case 'separator':
        return { type: 'separator' };
      case 'label':
        return { label: item.label, enabled: false };
      case 'command':
        return {
          label: item.label,
          enabled: item.isEnabled,
          ...(item.isChecked === undefined ? {} : { type: 'checkbox' as const, checked: item.isChecked }),
          click: () => this.onCommand(item.command),
        };
    }
  }

  private icon(name: TrayIcon): NativeImage {
    return trayImage(this.assets, name, process.platform);
  }
}

/** Template picture on macOS (the system colours it), ICO on Windows, PNG elsewhere. An absent file gives an empty picture rather than no app. */
export function trayImage(assets: string, name: TrayIcon, platform: NodeJS.Platform): NativeImage {
  const wanted = platform === 'darwin' ? `tray-${name}Template.png` : platform === 'win32' ? `tray-${name}.ico` : `tray-${name}.png`;
  const file = [wanted, `tray-${name}.png`].map((candidate) => path.join(assets, candidate)).find((candidate) => fs.existsSync(candidate));
  const image = file ? nativeImage.createFromPath(file) : nativeImage.createEmpty();
  if (platform === 'darwin') image.setTemplateImage(true);
  return image;
}
