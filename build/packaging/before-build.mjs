/**
 * electron-builder's hook before it looks for dependencies. Everything is bundled: there are none to install, rebuild or pack.
 * @returns {Promise<false>} `false` means that
 */
export default async function beforeBuild() {
  return false;
}
