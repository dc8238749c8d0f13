import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, isListening, removeSocket } from './control-socket.ts'

export interface Lock {
  pid: number
  /**
   * Relative if inside the folder: in a container the folder may have another path, and a copy of
   * the folder must not name the original's socket.
   */
  socket: string
  /** Never reused, so a replaced lock cannot reappear. */
  nonce: string
}

/** An invalid lock file has no socket, so no process holds it. */
type Found = Omit<Lock, 'socket'> & { socket?: string }

const LOOK_AGAIN_MS = 10
const TRIES_MAX = 100
const CHAIN_MAX = 100

export const lockFile = (dataDir: string): string => join(dataDir, 'tradepost.lock')

export const socketPath = (dataDir: string, socket: string): string => resolve(dataDir, socket)

/** The file name under which exactly one process may succeed this lock. */
const heirFile = (dataDir: string, lock: Found): string =>
  `${lockFile(dataDir)}.after-${lock.nonce}`

export type Taking = { taken: true } | { taken: false; pid: number }

/** Takes the folder's lock, unless a live process has it. Our socket already listens. */
export async function takeLock(
  dataDir: string,
  mine: Lock,
  listens = isListening,
): Promise<Taking> {
  const draft = `${lockFile(dataDir)}.new-${mine.nonce}`
  await writeDraft(draft, mine)
  try {
    let pid = 0
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const chain = await readChain(dataDir)
      const last = chain.at(-1)
      const alive = last?.socket !== undefined && (await listens(socketPath(dataDir, last.socket)))
      if (alive && chain.length === 1) return { taken: false, pid: last.pid }
      if (!alive && (await tryTake(dataDir, chain, mine, draft))) return { taken: true }
      pid = last?.pid ?? pid
      await sleep(LOOK_AGAIN_MS)
    }
    return { taken: false, pid }
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeDraft(draft: string, mine: Lock): Promise<void> {
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(mine)}\n`)
    // Without this flush, a power failure could leave an empty lock file.
    await file.datasync()
  } finally {
    await file.close()
  }
}

/**
 * The lock, its successor that a crash kept from replacing it, that one's successor, and so on. The
 * last one counts.
 */
async function readChain(dataDir: string): Promise<Found[]> {
  const chain: Found[] = []
  let file = lockFile(dataDir)
  while (chain.length < CHAIN_MAX) {
    const found = await readLock(file)
    if (found === undefined) return chain
    chain.push(found)
    file = heirFile(dataDir, found)
  }
  throw new Error(
    `The files ${lockFile(dataDir)}* form a cycle. Stop every process on the folder, then remove them.`,
  )
}

export async function readLock(file: string): Promise<Found | undefined> {
  try {
    return parseLock(await readFile(file, 'utf8')) ?? (await readBroken(file))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function parseLock(text: string): Lock | undefined {
  try {
    const { pid, socket, nonce } = JSON.parse(text)
    const isLock =
      Number.isInteger(pid) &&
      typeof socket === 'string' &&
      socket !== '' &&
      /^[\w-]{1,64}$/.test(nonce)
    return isLock ? { pid, socket, nonce } : undefined
  } catch {
    return undefined
  }
}

async function readBroken(file: string): Promise<Found> {
  const { ino, mtimeMs } = await stat(file)
  return { pid: 0, nonce: `broken-${ino}-${Math.floor(mtimeMs)}` }
}

async function tryTake(
  dataDir: string,
  dead: Found[],
  mine: Lock,
  draft: string,
): Promise<boolean> {
  const last = dead.at(-1)
  if (last === undefined) return await tryLink(draft, lockFile(dataDir))

  // Moving the dead lock away would be unsafe: another process may have replaced it since the
  // probe, so a live lock would be moved, and a third process would find none. The successor's name
  // belongs to the probed lock, and the lock is replaced only while its chain ends with our lock.
  const heir = heirFile(dataDir, last)
  if (!(await tryLink(draft, heir))) return false
  const now = (await readChain(dataDir)).at(-1)
  if (now?.nonce !== mine.nonce) {
    await rm(heir, { force: true })
    return false
  }
  await rename(heir, lockFile(dataDir))
  await removeRemains(dataDir, dead)
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

async function removeRemains(dataDir: string, dead: Found[]): Promise<void> {
  for (const lock of dead) {
    if (lock !== dead.at(-1)) await rm(heirFile(dataDir, lock), { force: true })
    if (lock.socket !== undefined) await removeSocket(socketPath(dataDir, lock.socket))
  }
}

/** Removes the lock, unless another process has it now. */
export async function dropLock(dataDir: string, mine: Lock): Promise<void> {
  const found = await readLock(lockFile(dataDir))
  if (found?.nonce === mine.nonce) await rm(lockFile(dataDir), { force: true })
}
