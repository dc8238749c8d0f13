import { once } from 'node:events'
import { chmod, lstat, mkdtemp, rm, rmdir, symlink, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The limit is 107 bytes on Linux and 103 on macOS; Node 20 silently truncates a longer path. */
const PATH_BYTES_MAX = 100
const CLIENTS_MAX = 100
const FOLDER_PREFIX = 'tradepost-'
const SOCKET_NAME = 'control.sock'

export interface Listening {
  path: string
  close(): Promise<void>
}

/** Listens in a new folder, so that no other process ever binds or removes this path. */
export async function listenFor(
  dataDir: string,
  onClient: (socket: Socket) => void,
): Promise<Listening> {
  const path = await newSocketPath(dataDir)
  const clients = new Set<Socket>()
  const server = createServer((socket) => {
    clients.add(socket)
    socket.once('close', () => clients.delete(socket))
    onClient(socket)
  })
  server.maxConnections = CLIENTS_MAX
  const close = async () => {
    await closeServer(server, clients)
    await removeSocket(path)
  }
  try {
    // Without `exclusive`, a worker of node:cluster would share its parent's socket.
    server.listen({ path, exclusive: true })
    await once(server, 'listening')
    await chmod(path, 0o600)
  } catch (error) {
    await close()
    throw error
  }
  // A failed accept, for want of file descriptors, must not end the process.
  server.on('error', () => {})
  return { path, close }
}

async function newSocketPath(dataDir: string): Promise<string> {
  const near = join(dataDir, `${FOLDER_PREFIX}XXXXXX`, SOCKET_NAME)
  const folder = await newFolder(fits(near) ? dataDir : tmpdir())
  const path = join(folder, SOCKET_NAME)
  if (fits(path)) return path
  await rmdir(folder)
  throw new Error(`The temporary folder ${tmpdir()} has too long a path: set TMPDIR to another.`)
}

/** Created with mode 0700, so no other user reaches the socket before its own mode is set. */
const newFolder = (parent: string): Promise<string> => mkdtemp(join(parent, FOLDER_PREFIX))

const fits = (path: string): boolean => Buffer.byteLength(path) <= PATH_BYTES_MAX

async function closeServer(server: Server, clients: Set<Socket>): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  for (const socket of clients) socket.destroy()
  await closed
}

/** Removes an unused socket and its folder; a failure is ignored. */
export async function removeSocket(path: string): Promise<void> {
  const folder = dirname(path)
  const found = await lstat(path).catch(() => undefined)
  if (found?.isSocket()) await unlink(path).catch(() => {})
  if (basename(folder).startsWith(FOLDER_PREFIX)) await rmdir(folder).catch(() => {})
}

/** True if a live process listens. Unclear cases, such as a full queue, count as alive. */
export async function isListening(path: string): Promise<boolean> {
  try {
    const socket = await reach(path)
    socket?.destroy()
    return socket !== undefined
  } catch {
    return true
  }
}

/** The connection; undefined if no process listens. */
export async function reach(path: string): Promise<Socket | undefined> {
  if (fits(path)) return await tryConnect(path)

  // The holder may know the folder by a shorter path, in its container, so connect through a link.
  const folder = await newFolder(tmpdir())
  try {
    const link = join(folder, 'd')
    await symlink(dirname(path), link)
    return await tryConnect(join(link, basename(path)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const NOBODY = ['ECONNREFUSED', 'ENOENT', 'ENOTDIR']

async function tryConnect(path: string): Promise<Socket | undefined> {
  const socket = connect({ path })
  try {
    await once(socket, 'connect')
    // The reader sees the end of the connection; without a listener, an error would end the
    // process.
    return socket.on('error', () => {})
  } catch (error) {
    socket.destroy()
    if (NOBODY.includes(codeOf(error))) return undefined
    throw error
  }
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
