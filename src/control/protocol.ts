/**
 * The version of the protocol, which the lock file names. From 2 on, the process that holds the folder
 * refuses inputs that its release does not know.
 */
export const PROTOCOL_VERSION = 2

/** A client's request to the process that holds the folder. */
export interface ControlRequest {
  command: string
  input: Record<string, unknown>
}

/**
 * Runs a request in the process that holds the folder. `emit` sends a line before the answer. `signal`
 * aborts when the client leaves or the folder is released.
 */
export type RequestHandler = (
  request: ControlRequest,
  emit: (line: unknown) => void,
  signal: AbortSignal,
) => Promise<unknown>

/** A row of the response, which has any number of lines and then one answer. */
export type ResponseMessage =
  | { line: unknown }
  | { ok: true; value?: unknown }
  | { ok: false; error: string; exit_code: number }

/** A refusal for people, with the exit code of the command. */
export class ControlError extends Error {
  override name = 'ControlError'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

const LINE_BYTES_MAX = 1024 * 1024
const NEWLINE = 0x0a

export function toLine(message: ControlRequest | ResponseMessage): string {
  const text = JSON.stringify(message)
  if (Buffer.byteLength(text) > LINE_BYTES_MAX) throw messageTooLong()
  return `${text}\n`
}

/**
 * Splits bytes into lines. Only complete lines are decoded, because a chunk may end within a
 * character.
 */
export class LineSplitter {
  #parts: Buffer[] = []
  #bytes = 0

  push(chunk: Buffer): string[] {
    const lines: string[] = []
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#append(chunk.subarray(from, end))
      lines.push(this.#endLine())
      from = end + 1
    }
    this.#append(chunk.subarray(from))
    return lines
  }

  #append(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > LINE_BYTES_MAX) throw messageTooLong()
    if (part.length > 0) this.#parts.push(part)
  }

  #endLine(): string {
    const line = Buffer.concat(this.#parts).toString('utf8')
    this.#parts = []
    this.#bytes = 0
    return line
  }
}

const messageTooLong = (): ControlError =>
  new ControlError('A message between the command and the server is longer than 1 MiB.')
