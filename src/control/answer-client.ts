import type { Socket } from 'node:net'
import {
  ControlError,
  type ControlRequest,
  LineSplitter,
  type RequestHandler,
  type ResponseMessage,
  toLine,
} from './protocol.ts'

const REQUEST_TIMEOUT_MS = 10_000
/** The unread bytes above which a client is disconnected. */
const UNREAD_BYTES_MAX = 8 * 1024 * 1024

/** Reads a request from a client, runs it, and sends its lines and its answer. */
export async function answerClient(socket: Socket, serve: RequestHandler): Promise<void> {
  // A failed connection also emits 'close', which is handled below.
  socket.on('error', () => {})
  const clientLeft = new AbortController()
  socket.once('close', () => clientLeft.abort())

  const answer = await answerTo(socket, serve, clientLeft.signal)
  if (answer === undefined) socket.destroy()
  else if (socket.writable) socket.end(answer)
}

async function answerTo(
  socket: Socket,
  serve: RequestHandler,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const line = await firstLine(socket)
    if (line === undefined) return undefined
    const emit = (value: unknown) => send(socket, { line: value ?? null })
    const value = await serve(parseRequest(line), emit, signal)
    return toLine({ ok: true, value })
  } catch (error) {
    return toLine(errorMessage(error))
  }
}

/** Returns the client's request, or undefined if it sent none in time or left. */
async function firstLine(socket: Socket): Promise<string | undefined> {
  const lines = new LineSplitter()
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      timer = setTimeout(() => resolve(undefined), REQUEST_TIMEOUT_MS)
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
    clearTimeout(timer)
    // Without reading on, the end of the connection would not be noticed.
    socket.removeAllListeners('data').resume()
  }
}

function parseRequest(line: string): ControlRequest {
  const request = parse(line)
  if (!isObject(request) || typeof request.command !== 'string' || !isObject(request.input)) {
    const message = 'The request is invalid. Send { "command": text, "input": object } in JSON.'
    throw new ControlError(message, 2)
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

function send(socket: Socket, message: ResponseMessage): void {
  if (!socket.writable) return
  socket.write(toLine(message))
  if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy()
}

function errorMessage(error: unknown): ResponseMessage {
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number') {
    return { ok: false, error: error.message, exit_code: error.exitCode }
  }
  const message = 'The command failed with an unexpected error. See the log of the server.'
  return { ok: false, error: message, exit_code: 1 }
}
