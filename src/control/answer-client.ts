import type { Socket } from 'node:net'
import {
  ControlError,
  type ControlRequest,
  LineCutter,
  type Row,
  type Serve,
  toLine,
} from './protocol.ts'

const REQUEST_TIMEOUT_MS = 10_000
/** Unread bytes after which a client is disconnected. */
const UNREAD_BYTES_MAX = 8 * 1024 * 1024

/** Reads one request from a client, runs it, and sends its lines and its answer. */
export async function answerClient(socket: Socket, serve: Serve): Promise<void> {
  // A failed connection emits 'close' too, which is handled.
  socket.on('error', () => {})
  const gone = new AbortController()
  socket.once('close', () => gone.abort())

  const answer = await answerTo(socket, serve, gone.signal)
  if (answer === undefined) socket.destroy()
  else if (socket.writable) socket.end(answer)
}

async function answerTo(
  socket: Socket,
  serve: Serve,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const line = await firstLine(socket)
    if (line === undefined) return undefined
    const emit = (line: unknown) => send(socket, { line: line ?? null })
    const value = await serve(parseRequest(line), emit, signal)
    return toLine({ ok: true, value })
  } catch (error) {
    return toLine(refusal(error))
  }
}

/** The client's request; undefined if it sent none in time, or left. */
async function firstLine(socket: Socket): Promise<string | undefined> {
  const lines = new LineCutter()
  let patience: NodeJS.Timeout | undefined
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      patience = setTimeout(() => resolve(undefined), REQUEST_TIMEOUT_MS)
      socket.once('close', () => resolve(undefined))
      socket.on('data', (chunk: Buffer) => {
        try {
          const [line] = lines.push(chunk)
          if (line !== undefined) resolve(line)
        } catch (error) {
          reject(error)
        }
      })
    })
  } finally {
    clearTimeout(patience)
    // Keeps reading, because only a reader notices that the client left.
    socket.removeAllListeners('data').resume()
  }
}

function parseRequest(line: string): ControlRequest {
  const request = parse(line)
  if (!isObject(request) || typeof request.command !== 'string' || !isObject(request.input)) {
    throw new ControlError('The request is not { "command": text, "input": object } in JSON.', 2)
  }
  return { command: request.command, input: request.input }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function send(socket: Socket, row: Row): void {
  if (!socket.writable) return
  socket.write(toLine(row))
  if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy()
}

function refusal(error: unknown): Row {
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number') {
    return { ok: false, error: error.message, exit_code: error.exitCode }
  }
  const message = 'The server could not do this: an unexpected error. See its log.'
  return { ok: false, error: message, exit_code: 1 }
}
