import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { CommandError } from '../../../command.ts'

/** The first line of a backup. */
export interface Begin {
  kind: 'begin'
  format: 1
  /** The version of Tradepost that wrote it. */
  version: string
  made_at: string
  /** The names of the migrations that its database had. */
  migrations: string[]
  /** The public names of the secrets keys that its values are sealed with. */
  keys: string[]
}

/**
 * A line of a backup, which is a compressed file of JSON values. Rows are texts of PostgreSQL's composite
 * type of their table, so every value comes back as it was.
 */
export type Line =
  | Begin
  | { kind: 'rows'; table: string; rows: string[] }
  | { kind: 'sequence'; name: string; value: string }
  | { kind: 'file'; id: string }
  | { kind: 'bytes'; base64: string }
  /** The last one; a file without it is cut off. */
  | { kind: 'end'; rows: number; files: number }

export interface Written {
  file: string
  bytes: number
  /** The hash of the file, in hex. */
  sha256: string
}

/** Writes the lines to a new file, readable by its owner only; nothing is left of it if that fails. */
export async function writeLines(file: string, lines: AsyncIterable<Line>): Promise<Written> {
  if (await exists(file)) {
    throw new CommandError(`${file} exists already. Name a new file; none is overwritten.`)
  }
  const part = `${file}.part`
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  try {
    const texts = async function* () {
      for await (const line of lines) yield `${JSON.stringify(line)}\n`
    }
    const output = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(texts, createGzip(), hashing, output)
    const { size } = await stat(part)
    await rename(part, file)
    return { file, bytes: size, sha256: hash.digest('hex') }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') await rm(part, { force: true })
    throw asFileError(file, error)
  }
}

/** Reads the lines of a whole backup. Refuses a file that is none, damaged, or cut off. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let last: Line | undefined
  try {
    for await (const text of createInterface({ input: unzipped(file) })) {
      const line = JSON.parse(text) as Line
      if (!last && !isBegin(line)) throw new NotABackup()
      yield line
      last = line
    }
  } catch (error) {
    if (error instanceof NotABackup || error instanceof SyntaxError) throw damaged(file)
    if (codeOf(error)?.startsWith('Z_')) throw damaged(file)
    throw asFileError(file, error)
  }
  if (last?.kind !== 'end') throw damaged(file)
}

class NotABackup extends Error {}

/** The lines come through another stream, because only `pipeline` hands on the errors of all its parts. */
function unzipped(file: string): Readable {
  const lines = new PassThrough()
  pipeline(createReadStream(file), createGunzip(), lines).catch((error) => lines.destroy(error))
  return lines
}

const isBegin = (line: Line): boolean =>
  typeof line === 'object' && line !== null && line.kind === 'begin' && line.format === 1

/** Reads a backup to its end and returns its first line, so that a restore begins with a whole file. */
export async function checkBackup(file: string): Promise<Begin> {
  let begin: Begin | undefined
  for await (const line of readLines(file)) if (line.kind === 'begin') begin ??= line
  if (!begin) throw damaged(file)
  return begin
}

const damaged = (file: string) =>
  new CommandError(`${file} is no whole backup of Tradepost. Nothing was changed.`)

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )

const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code

const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not in a folder',
  ENOSPC: 'does not fit on the disk',
  EROFS: 'is on a disk that cannot be written',
}

function asFileError(file: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'EEXIST') {
    return new CommandError(
      `${file}.part exists: another backup is being written, or was cut off. Delete it.`,
    )
  }
  const reason = code === undefined ? undefined : REASONS[code]
  return reason ? new CommandError(`${file} ${reason}.`) : error
}
