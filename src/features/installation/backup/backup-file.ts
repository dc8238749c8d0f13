import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { CommandError } from '../../../command.ts'

/** The first line of a backup. */
export interface BackupHeader {
  kind: 'begin'
  format: 1
  /** The version of Tradepost that wrote the backup. */
  version: string
  made_at: string
  /** The names of the migrations that the database had. */
  migrations: string[]
  /** The public names of the secrets keys with which values are sealed. */
  keys: string[]
}

/**
 * A line of a backup, which is a gzip file of JSON values. A row is text in PostgreSQL's composite type
 * of its table, which represents every value exactly.
 */
export type BackupLine =
  | BackupHeader
  | { kind: 'rows'; table: string; rows: string[] }
  | { kind: 'sequence'; name: string; value: string }
  | { kind: 'file'; id: string }
  | { kind: 'bytes'; base64: string }
  /** The last line. A file without it is incomplete. */
  | { kind: 'end'; rows: number; files: number }

export interface BackupFile {
  file: string
  bytes: number
  /** The hash of the file, in hex. */
  sha256: string
}

/** Writes the lines to a new file that only its owner can read. On failure no file remains. */
export async function writeLines(
  file: string,
  lines: AsyncIterable<BackupLine>,
): Promise<BackupFile> {
  if (await fileExists(file)) {
    throw new CommandError(`${file} exists already. Name a file that does not exist.`)
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
    if (codeOf(error) === 'ENOENT') {
      throw new CommandError(`The folder ${dirname(file)} does not exist. Create it first.`)
    }
    if (codeOf(error) !== 'EEXIST') await rm(part, { force: true })
    throw asFileError(file, error)
  }
}

/** Reads the lines of a backup. Refuses a file that is not a backup, is damaged, or is incomplete. */
export async function* readLines(file: string): AsyncGenerator<BackupLine> {
  let lastLine: BackupLine | undefined
  try {
    for await (const text of createInterface({ input: gunzip(file) })) {
      const line = JSON.parse(text) as BackupLine
      if (!lastLine && !isHeader(line)) throw new NotABackupError()
      yield line
      lastLine = line
    }
  } catch (error) {
    if (error instanceof NotABackupError || error instanceof SyntaxError) throw damagedError(file)
    if (codeOf(error)?.startsWith('Z_')) throw damagedError(file)
    throw asFileError(file, error)
  }
  if (lastLine?.kind !== 'end') throw damagedError(file)
}

class NotABackupError extends Error {}

// `pipe` would not forward the errors of every stream, as `pipeline` does.
function gunzip(file: string): Readable {
  const lines = new PassThrough()
  pipeline(createReadStream(file), createGunzip(), lines).catch((error) => lines.destroy(error))
  return lines
}

const isHeader = (line: BackupLine): boolean =>
  typeof line === 'object' && line !== null && line.kind === 'begin' && line.format === 1

/** Reads a backup to its end, so that a restore begins only with a complete file. Returns its header. */
export async function checkBackup(file: string): Promise<BackupHeader> {
  let header: BackupHeader | undefined
  for await (const line of readLines(file)) if (line.kind === 'begin') header ??= line
  if (!header) throw damagedError(file)
  return header
}

const damagedError = (file: string) =>
  new CommandError(
    `${file} is not a complete backup of Tradepost. Use another backup; nothing was changed.`,
  )

const fileExists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )

const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code

const REASONS_BY_CODE: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'is not accessible to this user. Run the command as its owner',
  EPERM: 'is not accessible to this user. Run the command as its owner',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not in a folder',
  ENOSPC: 'does not fit on the disk. Free some space',
  EROFS: 'is on a read-only disk. Use another folder',
}

function asFileError(file: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'EEXIST') {
    return new CommandError(
      `${file}.part exists: another backup is running, or was interrupted. Wait for it, or delete the file.`,
    )
  }
  const reason = code === undefined ? undefined : REASONS_BY_CODE[code]
  return reason ? new CommandError(`${file} ${reason}.`) : error
}
