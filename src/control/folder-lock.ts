import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { answerClient } from './answer-client.ts'
import { openControlSocket } from './control-socket.ts'
import { acquireLock, type Lock, releaseLock } from './lock-file.ts'
import { PROTOCOL_VERSION, type RequestHandler } from './protocol.ts'

export interface FolderLock {
  /** Releases the folder. Call it after the database is closed: another process may start at once. */
  release(): Promise<void>
}

/**
 * The error if another process holds the folder. The pid alone may not identify that process, because it
 * may be 1 in every container.
 */
export class FolderHeldError extends Error {
  override name = 'FolderHeldError'
  readonly pid: number
  readonly exitCode = 1

  constructor(dataDir: string, pid: number) {
    super(`${dataDir} is in use by process ${pid}. Stop it first, or set another DATA_DIR.`)
    this.pid = pid
  }
}

/**
 * Locks the folder for this process and answers clients (decision 42). The socket listens before the
 * lock is written, so that a process that reads the lock can also connect. A request may arrive before
 * this function returns.
 */
export async function lockFolder(
  dataDir: string,
  handleRequest: RequestHandler,
): Promise<FolderLock> {
  const folder = resolve(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const socket = await openControlSocket(folder, (client) => {
    answerClient(client, handleRequest).catch(() => client.destroy())
  })
  const ownLock = newLock(folder, socket.path)
  try {
    const lock = await acquireLock(folder, ownLock)
    if (!lock.locked) throw new FolderHeldError(folder, lock.pid)
  } catch (error) {
    await socket.close()
    throw error
  }

  let releasing: Promise<void> | undefined
  // The lock is removed first, because a lock without a listening socket would look like a crash.
  const release = () => releaseLock(folder, ownLock).finally(socket.close)
  return {
    release: () => {
      releasing ??= release()
      return releasing
    },
  }
}

function newLock(folder: string, path: string): Lock {
  return {
    pid: process.pid,
    socket: path.startsWith(folder + sep) ? relative(folder, path) : path,
    nonce: randomBytes(16).toString('hex'),
    protocol: PROTOCOL_VERSION,
  }
}
