import { once } from 'node:events'
import { chmod, lstat, mkdtemp, rm, rmdir, symlink, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ControlError } from './protocol.ts'

/** Linux allows 107 bytes and macOS 103. Node 20 truncates a longer path without an error. */
const PATH_BYTES_MAX = 100
const CLIENTS_MAX = 100
const FOLDER_PREFIX = 'tradepost-'
const SOCKET_NAME = 'control.sock'
/** The folder for sockets if the paths of the data folder and of the system's temporary folder are too long. */
const SHORT_FOLDER = '/tmp'
/** The longest path of a folder in which a socket can be created. */
const FOLDER_BYTES_MAX = PATH_BYTES_MAX - `/${FOLDER_PREFIX}XXXXXX/${SOCKET_NAME}`.length

interface ControlSocket {
  path: string
  close(): Promise<void>
}

/** Listens on a path in a new folder, so that no other process binds or removes this path. */
export async function openControlSocket(
  dataDir: string,
  onClient: (socket: Socket) => void,
): Promise<ControlSocket> {
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
  // A failed accept, such as for lack of file descriptors, must not end the process.
  server.on('error', () => {})
  return { path, close }
}

const newSocketPath = async (dataDir: string): Promise<string> =>
  join(await newFolder([dataDir, tmpdir(), SHORT_FOLDER]), SOCKET_NAME)

/**
 * Creates a folder in the first of these folders in which the path of a socket is short enough. Its mode is 0700, so
 * that no other user can connect before the socket's mode is set.
 */
async function newFolder(parents: readonly string[]): Promise<string> {
  const hasShortPath = (folder: string) =>
    isShortEnough(join(folder, `${FOLDER_PREFIX}XXXXXX`, SOCKET_NAME))
  const parent = parents.find(hasShortPath) ?? SHORT_FOLDER
  try {
    return await mkdtemp(join(parent, FOLDER_PREFIX))
  } catch (error) {
    if (parent !== SHORT_FOLDER) throw error
    throw new ControlError(
      `The control socket needs a folder with a short path: the paths of ${parents[0]} and of TMPDIR are too long, and ${SHORT_FOLDER} cannot be used (${codeOf(error)}). Set TMPDIR to a folder whose path has at most ${FOLDER_BYTES_MAX} bytes.`,
    )
  }
}

const isShortEnough = (path: string): boolean => Buffer.byteLength(path) <= PATH_BYTES_MAX

async function closeServer(server: Server, clients: Set<Socket>): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  for (const socket of clients) socket.destroy()
  await closed
}

/** Removes an unused socket and its folder. A failure is ignored. */
export async function removeSocket(path: string): Promise<void> {
  const folder = dirname(path)
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isSocket()) await unlink(path).catch(() => {})
  if (basename(folder).startsWith(FOLDER_PREFIX)) await rmdir(folder).catch(() => {})
}

/** Returns true if a process listens. Unclear cases, such as a full queue, count as listening. */
export async function isListening(path: string): Promise<boolean> {
  try {
    const socket = await connectTo(path)
    socket?.destroy()
    return socket !== undefined
  } catch {
    return true
  }
}

/** Returns a connection, or undefined if no process listens. */
export async function connectTo(path: string): Promise<Socket | undefined> {
  if (isShortEnough(path)) return await tryConnect(path)

  // In its container, the holder may have a shorter path to the folder. Connect through a short link.
  const folder = await newFolder([tmpdir(), SHORT_FOLDER])
  try {
    const link = join(folder, 'd')
    await symlink(dirname(path), link)
    return await tryConnect(join(link, basename(path)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const NOT_LISTENING = ['ECONNREFUSED', 'ENOENT', 'ENOTDIR']

async function tryConnect(path: string): Promise<Socket | undefined> {
  const socket = connect({ path })
  try {
    await once(socket, 'connect')
    // Without a listener an error would end the process. The reader notices the end of the connection.
    return socket.on('error', () => {})
  } catch (error) {
    socket.destroy()
    if (NOT_LISTENING.includes(codeOf(error))) return undefined
    throw error
  }
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
