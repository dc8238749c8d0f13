import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { codeOf, reach } from './control-socket.ts'
import { lockFile, readLock, socketPath } from './lock-file.ts'
import { ControlError, type ControlRequest, LineCutter, type Row, toLine } from './protocol.ts'

export type Answer = { answered: false } | { answered: true; value: unknown }

export interface Listener {
  /** Awaited, line by line, before the answer is given. */
  onLine?: (line: unknown) => void | Promise<void>
  /** Leaves without waiting for the answer. */
  signal?: AbortSignal
}

/** Asks the process that holds the folder; a refusal is thrown as an Error with `exitCode`. */
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
  // It stays open both ways until the answer: an end of ours would say that we left.
  socket.write(message)
  for await (const line of linesFrom(socket)) {
    const row = parseRow(line)
    if ('line' in row) await onLine?.(row.line)
    else if (row.ok) return { answered: true, value: row.value }
    else throw new ControlError(row.error, row.exit_code)
  }
  throw new ControlError(
    'The server stopped before it answered. It may have done what was asked: look before you repeat it.',
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

/** Whole lines until the connection ends, well or badly: it is the answer that is missed then. */
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
    // Told below, like JSON of another shape.
  }
  throw new ControlError('The server gave an answer that this version does not understand.')
}
