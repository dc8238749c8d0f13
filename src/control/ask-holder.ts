import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { codeOf, connectTo } from './control-socket.ts'
import { lockFile, readLock, socketPath } from './lock-file.ts'
import {
  ControlError,
  type ControlRequest,
  LineSplitter,
  PROTOCOL_VERSION,
  type ResponseMessage,
  toLine,
} from './protocol.ts'

type HolderAnswer = { answered: false } | { answered: true; value: unknown }

interface AskOptions {
  /** Called and awaited for each line, before the answer is returned. */
  onLine?: (line: unknown) => void | Promise<void>
  /** Ends the connection without waiting for the answer. */
  signal?: AbortSignal
  /** Options of the request that earlier releases ignore. A holder of an earlier release is not asked; an error is thrown. */
  newOptions?: readonly string[]
}

/**
 * Sends a request to the process that holds the folder, if there is one. A refusal is thrown as an Error
 * with `exitCode`.
 */
export async function askHolder(
  dataDir: string,
  request: ControlRequest,
  { onLine, signal, newOptions = [] }: AskOptions = {},
): Promise<HolderAnswer> {
  const requestLine = toLine(request)
  const socket = await reachHolder(resolve(dataDir), newOptions)
  if (socket === undefined) return { answered: false }

  const disconnect = () => socket.destroy()
  if (signal?.aborted) disconnect()
  signal?.addEventListener('abort', disconnect, { once: true })
  socket.once('close', () => signal?.removeEventListener('abort', disconnect))
  // Ending our half of the connection would tell the server that the client left.
  socket.write(requestLine)
  for await (const line of readLines(socket)) {
    const message = parseMessage(line)
    if ('line' in message) await onLine?.(message.line)
    else if (message.ok) return { answered: true, value: message.value }
    else throw new ControlError(message.error, message.exit_code)
  }
  throw new ControlError(
    'The server stopped before it answered, but it may have run the command. Check that before you repeat the command.',
  )
}

async function reachHolder(
  dataDir: string,
  newOptions: readonly string[],
): Promise<Socket | undefined> {
  const lock = await readLock(lockFile(dataDir))
  if (lock?.socket === undefined) return undefined
  try {
    const socket = await connectTo(socketPath(dataDir, lock.socket))
    if (!socket || newOptions.length === 0 || (lock.protocol ?? 1) >= PROTOCOL_VERSION)
      return socket
    socket.destroy()
  } catch (error) {
    throw new ControlError(
      `Process ${lock.pid} holds ${dataDir}, but its control socket does not answer (${codeOf(error)}). Run the command as the user that started the process.`,
    )
  }
  throw new ControlError(
    `The running server is of an earlier release, which does not have ${newOptions.join(' and ')}. Restart it with this version.`,
  )
}

/** Yields complete lines until the connection ends. An error of the connection also ends the lines. */
async function* readLines(socket: Socket): AsyncGenerator<string> {
  const lines = new LineSplitter()
  try {
    for await (const chunk of socket) yield* lines.push(chunk)
  } catch (error) {
    if (error instanceof ControlError) throw error
  }
}

function parseMessage(line: string): ResponseMessage {
  try {
    const message = JSON.parse(line)
    const isObject = typeof message === 'object' && message !== null
    if (isObject && ('line' in message || 'ok' in message)) return message
  } catch {
    // Handled below, like JSON of another shape.
  }
  throw new ControlError(
    'The answer of the server is not valid for this version. Use the same version as the server.',
  )
}
