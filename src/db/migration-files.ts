import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { CODE_FOLDER } from '../kernel/code-folder.ts'

export const MIGRATIONS = new URL('db/migrations/', CODE_FOLDER)

export interface Migration {
  name: string
  text: string
  digest: string
  /** The digests of the file and of its former texts, after which a database is the same. */
  acceptedDigests: string[]
  /** The indexes to build one by one outside of transactions. Undefined for other migrations. */
  indexes: ConcurrentIndex[] | undefined
}

export interface ConcurrentIndex {
  name: string
  text: string
}

/** The first line of a file with indexes only, which are built while stores are in use. */
const OUTSIDE_TRANSACTION = '-- outside a transaction'
/** The list of the digests of all accepted texts, in the form of `sha256sum`. */
const DIGESTS_FILE = 'accepted.sha256'
const STATEMENT = /^create (?:unique )?index concurrently if not exists (\w+)\s+on\s/

export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const listedDigests = await readDigests(folder)
  const read = async (name: string) => {
    const text = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
    const digest = createHash('sha256').update(text).digest('hex')
    const acceptedDigests = [digest, ...(listedDigests.get(name) ?? [])]
    return { name, text, digest, acceptedDigests, indexes: concurrentIndexes(name, text) }
  }
  return Promise.all(names.map(read))
}

/** Returns the listed digests by the name of their file. */
export async function readDigests(folder: URL): Promise<Map<string, string[]>> {
  const list = await readFile(new URL(DIGESTS_FILE, folder), 'utf8').catch(() => '')
  const digests = new Map<string, string[]>()
  for (const [, digest = '', name = ''] of list.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)) {
    digests.set(name, [...(digests.get(name) ?? []), digest])
  }
  return digests
}

/** Reads the indexes of a file. Other statements are refused, because they could not be repeated after a crash. */
function concurrentIndexes(file: string, text: string): ConcurrentIndex[] | undefined {
  const [first, ...lines] = text.split('\n')
  if (first !== OUTSIDE_TRANSACTION) return undefined
  const code = lines.filter((line) => !line.startsWith('--')).join('\n')
  const statements = code.split(';').map((statement) => statement.trim())
  return statements.filter(Boolean).map((statement) => {
    const name = STATEMENT.exec(statement)?.[1]
    if (name !== undefined) return { name, text: statement }
    const form = 'create index concurrently if not exists <name> on …'
    throw new Error(`${file}: outside a transaction write only "${form}", not: ${statement}`)
  })
}
