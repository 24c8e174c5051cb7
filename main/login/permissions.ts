import type { Session } from 'electron';

/**
 * What a remote page may ask for: nothing. A table with a reason per line would have only this one: signing in needs no camera, no place,
 * no clipboard, no notifications, no device, and no program of this computer (`openExternal`).
 */
export function denyEverything(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
  session.setBluetoothPairingHandler(null);
  session.on('select-hid-device', (event, _details, answer) => {
    event.preventDefault();
    answer(null);
  });
  session.on('select-serial-port', (event, _ports, _contents, answer) => {
    event.preventDefault();
    answer('');
  });
  session.on('select-usb-device', (event, _details, answer) => {
    event.preventDefault();
    answer();
  });
}

/** Refuses every download of a session; what our own code fetches goes another way. */
export function refuseDownloads(session: Session, onRefused: () => void): void {
  session.on('will-download', (event, item) => {
    event.preventDefault();
    item.cancel();
    onRefused();
  });
}
