import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { answerClient } from './answer-client.ts'
import { listenFor } from './control-socket.ts'
import { dropLock, type Lock, takeLock } from './lock-file.ts'
import type { Serve } from './protocol.ts'

export interface Held {
  /**
   * To be called last, after the database is closed, because the next process may start at once.
   */
  release(): Promise<void>
}

/**
 * Another live process holds the folder. Its pid alone proves nothing: in containers, every process
 * has pid 1.
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
 * Takes the folder for this process and answers clients (decision 42). The socket listens before
 * the lock names it, so that a process that finds the lock also finds it alive. A request may
 * arrive before this returns, so `serve` waits for what it needs.
 */
export async function holdFolder(dataDir: string, serve: Serve): Promise<Held> {
  const folder = resolve(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const listening = await listenFor(folder, (socket) => {
    answerClient(socket, serve).catch(() => socket.destroy())
  })
  const mine = newLock(folder, listening.path)
  try {
    const taking = await takeLock(folder, mine)
    if (!taking.taken) throw new FolderHeldError(folder, taking.pid)
  } catch (error) {
    await listening.close()
    throw error
  }

  let released: Promise<void> | undefined
  // The lock is removed first; a lock without a listener would look like a crash.
  const release = () => dropLock(folder, mine).finally(listening.close)
  return {
    release: () => {
      released ??= release()
      return released
    },
  }
}

function newLock(folder: string, path: string): Lock {
  return {
    pid: process.pid,
    socket: path.startsWith(folder + sep) ? relative(folder, path) : path,
    nonce: randomBytes(16).toString('hex'),
  }
}
