// One command that makes a bare clone ready: `node build/setup.mjs [--modules] [--start] [--tests] [--desktop] [--official]`.
//
//   --modules   only node_modules (enough for the parts without Electron)
//   --start     a real desktop is there already: ask for no Xvfb
//   --tests     ask for Xvfb even where there is a display, and for the fonts that screenshots need
//   --desktop   also dbus and gnome-keyring (tests of tray, notifications and encrypted storage)
//   --official  try the official Electron download again now, even if it failed a moment ago
//
// Everything is said on stderr: stdout belongs to the program that is started afterwards.
// This file must parse on very old Nodes, to be able to say what is wrong with them: no static import, no modern syntax.
var needed = [20, 19];
var have = process.versions.node.split('.').map(Number);

if (have[0] < needed[0] || (have[0] === needed[0] && have[1] < needed[1])) {
  process.stderr.write(
    '[setup] Vestnik needs Node ' +
      needed.join('.') +
      ' or newer; this is Node ' +
      process.versions.node +
      ' (' +
      process.execPath +
      ').\n' +
      '[setup] Install a current Node (nodejs.org, your package manager, or nvm) and run the command again. Nothing was changed.\n',
  );
  process.exitCode = 1;
} else {
  import('./setup/main.mjs').then(function (setup) {
    return setup.main(process.argv.slice(2));
  });
}
