import fs from 'node:fs';
import path from 'node:path';
import { app, Menu, type MenuItemConstructorOptions, nativeImage, type NativeImage, Tray } from 'electron';
import { withCount } from './tray-count.ts';
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
    this.tray = new Tray(this.icon(trayView(state).icon, state.pendingDrafts));
    // Windows and Linux open by a click; on macOS a click shows the menu.
    if (process.platform !== 'darwin') this.tray.on('click', () => this.onCommand('open'));
    this.render(state);
  }

  render(state: TrayState): void {
    const view = trayView(state);
    const key = JSON.stringify(view);
    if (key === this.shown) return;
    this.shown = key;
    this.tray.setImage(this.icon(view.icon, state.pendingDrafts));
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

  private icon(name: TrayIcon, count: number): NativeImage {
    // macOS writes the count beside the icon. Windows gets the bitmap for as long as one is shown (never run there), its ICO otherwise.
    if (process.platform === 'darwin' || count === 0) return trayImage(this.assets, name, process.platform);
    const image = trayImage(this.assets, name, 'linux');
    return image.isEmpty() ? image : countedImage(image, count);
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

/** The picture in each of its sizes, with the count drawn into it. */
function countedImage(image: NativeImage, count: number): NativeImage {
  const counted = nativeImage.createEmpty();
  for (const scaleFactor of image.getScaleFactors()) {
    const { width, height } = image.getSize(scaleFactor);
    const side = Math.round(width * scaleFactor);
    const bitmap = image.toBitmap({ scaleFactor });
    if (width !== height || bitmap.length !== side * side * 4) return image;
    counted.addRepresentation({ scaleFactor, width: side, height: side, buffer: withCount(bitmap, side, count) });
  }
  return counted;
}
