import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, isListening, removeSocket } from './control-socket.ts'

export interface Lock {
  pid: number
  /**
   * The path of the socket, relative if it is inside the folder: the folder may have another path in a
   * container, and a copy of the folder must not refer to the socket of the original.
   */
  socket: string
  /** A unique text, by which a lock is distinguished from its successor. */
  nonce: string
  /** The version of the protocol of the control socket; absent in locks of earlier releases. */
  protocol?: number
}

/** A lock that was read from its file. An invalid file gives a lock without a socket, which no process holds. */
type StoredLock = Omit<Lock, 'socket'> & { socket?: string }

const RETRY_MS = 10
const ATTEMPTS_MAX = 100
const CHAIN_MAX = 100

export const lockFile = (dataDir: string): string => join(dataDir, 'tradepost.lock')

export const socketPath = (dataDir: string, socket: string): string => resolve(dataDir, socket)

/** Returns the file that a process creates to become the successor of this lock. */
const successorFile = (dataDir: string, lock: StoredLock): string =>
  `${lockFile(dataDir)}.after-${lock.nonce}`

type LockResult = { locked: true } | { locked: false; pid: number }

/** Acquires the lock of the folder unless a process holds it. The socket of `ownLock` must already listen. */
export async function acquireLock(
  dataDir: string,
  ownLock: Lock,
  isHeld = isListening,
): Promise<LockResult> {
  const draft = `${lockFile(dataDir)}.new-${ownLock.nonce}`
  await writeDraft(draft, ownLock)
  try {
    let pid = 0
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const chain = await readChain(dataDir)
      const last = chain.at(-1)
      const isLockHeld =
        last?.socket !== undefined && (await isHeld(socketPath(dataDir, last.socket)))
      if (isLockHeld && chain.length === 1) return { locked: false, pid: last.pid }
      if (!isLockHeld && (await replaceLock(dataDir, chain, ownLock, draft)))
        return { locked: true }
      pid = last?.pid ?? pid
      await sleep(RETRY_MS)
    }
    return { locked: false, pid }
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeDraft(draft: string, ownLock: Lock): Promise<void> {
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(ownLock)}\n`)
    // Without this flush, a power failure could leave an empty lock file.
    await file.datasync()
  } finally {
    await file.close()
  }
}

/**
 * Returns the lock, its successor, the successor of that, and so on. A successor remains if its process
 * crashed before it replaced the lock. Only the last lock of the chain is in effect.
 */
async function readChain(dataDir: string): Promise<StoredLock[]> {
  const chain: StoredLock[] = []
  let file = lockFile(dataDir)
  while (chain.length < CHAIN_MAX) {
    const lock = await readLock(file)
    if (lock === undefined) return chain
    chain.push(lock)
    file = successorFile(dataDir, lock)
  }
  throw new Error(
    `The files ${lockFile(dataDir)}* form a cycle. Stop every process that uses the folder, then remove these files.`,
  )
}

export async function readLock(file: string): Promise<StoredLock | undefined> {
  try {
    return parseLock(await readFile(file, 'utf8')) ?? (await readBrokenLock(file))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function parseLock(text: string): Lock | undefined {
  try {
    const { pid, socket, nonce, protocol } = JSON.parse(text)
    const isLock =
      Number.isInteger(pid) &&
      typeof socket === 'string' &&
      socket !== '' &&
      /^[\w-]{1,64}$/.test(nonce)
    const isVersion = Number.isInteger(protocol)
    return isLock ? { pid, socket, nonce, ...(isVersion && { protocol }) } : undefined
  } catch {
    return undefined
  }
}

async function readBrokenLock(file: string): Promise<StoredLock> {
  const { ino, mtimeMs } = await stat(file)
  return { pid: 0, nonce: `broken-${ino}-${Math.floor(mtimeMs)}` }
}

async function replaceLock(
  dataDir: string,
  staleLocks: StoredLock[],
  ownLock: Lock,
  draft: string,
): Promise<boolean> {
  const last = staleLocks.at(-1)
  if (last === undefined) return await tryLink(draft, lockFile(dataDir))

  // Moving the stale lock away would be unsafe: another process may have replaced it since it was
  // checked, so a held lock would be moved, and a third process would find none. The name of the
  // successor contains the nonce of the checked lock, which is replaced only if its chain still ends with our lock.
  const successor = successorFile(dataDir, last)
  if (!(await tryLink(draft, successor))) return false
  const newest = (await readChain(dataDir)).at(-1)
  if (newest?.nonce !== ownLock.nonce) {
    await rm(successor, { force: true })
    return false
  }
  await rename(successor, lockFile(dataDir))
  await removeStaleLocks(dataDir, staleLocks)
  return true
}

/** link(2) creates the file atomically, and fails if it exists. */
async function tryLink(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function removeStaleLocks(dataDir: string, staleLocks: StoredLock[]): Promise<void> {
  for (const lock of staleLocks) {
    if (lock !== staleLocks.at(-1)) await rm(successorFile(dataDir, lock), { force: true })
    if (lock.socket !== undefined) await removeSocket(socketPath(dataDir, lock.socket))
  }
}

/** Removes the lock unless another process has replaced it. */
export async function releaseLock(dataDir: string, ownLock: Lock): Promise<void> {
  const lock = await readLock(lockFile(dataDir))
  if (lock?.nonce === ownLock.nonce) await rm(lockFile(dataDir), { force: true })
}
