import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { codeOf, reach } from './control-socket.ts'
import { lockFile, readLock, socketPath } from './lock-file.ts'
import { ControlError, type ControlRequest, LineCutter, type Row, toLine } from './protocol.ts'

export type Answer = { answered: false } | { answered: true; value: unknown }

export interface Listener {
  /** Awaited for each line, before the answer is returned. */
  onLine?: (line: unknown) => void | Promise<void>
  /** Ends the connection without waiting for the answer. */
  signal?: AbortSignal
}

/**
 * Sends a request to the process that holds the folder. A refusal is thrown as an Error with
 * `exitCode`.
 */
export async function askHolder(
  dataDir: string,
  request: ControlRequest,
  { onLine, signal }: Listener = {},
): Promise<Answer> {
  const message = toLine(request)
  const socket = await reachHolder(resolve(dataDir))
  if (socket === undefined) return { answered: false }

  const leave = () => socket.destroy()
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave, { once: true })
  socket.once('close', () => signal?.removeEventListener('abort', leave))
  // The socket stays open in both directions; ending our half would mean that we left.
  socket.write(message)
  for await (const line of linesFrom(socket)) {
    const row = parseRow(line)
    if ('line' in row) await onLine?.(row.line)
    else if (row.ok) return { answered: true, value: row.value }
    else throw new ControlError(row.error, row.exit_code)
  }
  throw new ControlError(
    'The server stopped before it answered. It may have run the command: check before you repeat it.',
  )
}

async function reachHolder(dataDir: string): Promise<Socket | undefined> {
  const lock = await readLock(lockFile(dataDir))
  if (lock?.socket === undefined) return undefined
  try {
    return await reach(socketPath(dataDir, lock.socket))
  } catch (error) {
    throw new ControlError(
      `Process ${lock.pid} holds ${dataDir}, but its control socket does not answer (${codeOf(error)}). Run this as the user that started it.`,
    )
  }
}

/**
 * Complete lines until the connection ends, even with an error; a missing answer is detected later.
 */
async function* linesFrom(socket: Socket): AsyncGenerator<string> {
  const lines = new LineCutter()
  try {
    for await (const chunk of socket) yield* lines.push(chunk)
  } catch (error) {
    if (error instanceof ControlError) throw error
  }
}

function parseRow(line: string): Row {
  try {
    const row = JSON.parse(line)
    if (typeof row === 'object' && row !== null && ('line' in row || 'ok' in row)) return row
  } catch {
    // Handled below, like JSON of another shape.
  }
  throw new ControlError('The server gave an answer that this version does not understand.')
}
