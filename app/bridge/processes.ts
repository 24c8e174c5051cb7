import { systemCode } from './errors.ts';

/** Whether another process of this id runs; our own id can only be one that was used again. A hint: ids are used again. */
export function isProcessAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM'; // it runs, as another user
  }
}
