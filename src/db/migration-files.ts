import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

export const MIGRATIONS = new URL('./migrations/', import.meta.url)

export interface Migration {
  name: string
  text: string
  digest: string
  /** Indexes to build one by one, outside of transactions; undefined for all other migrations. */
  indexes: ConcurrentIndex[] | undefined
}

export interface ConcurrentIndex {
  name: string
  text: string
}

/** The first line of a file that contains only indexes, which are built while stores are in use. */
const OUTSIDE = '-- outside a transaction'
const STATEMENT = /^create (?:unique )?index concurrently if not exists (\w+)\s+on\s/

export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).sort()
  const read = async (name: string) => {
    const text = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
    const digest = createHash('sha256').update(text).digest('hex')
    return { name, text, digest, indexes: concurrentIndexes(name, text) }
  }
  return Promise.all(names.map(read))
}

/** Any other statement would leave a half-applied migration that cannot be repaired. */
function concurrentIndexes(file: string, text: string): ConcurrentIndex[] | undefined {
  const [first, ...lines] = text.split('\n')
  if (first !== OUTSIDE) return undefined
  const code = lines.filter((line) => !line.startsWith('--')).join('\n')
  const statements = code.split(';').map((statement) => statement.trim())
  return statements.filter(Boolean).map((statement) => {
    const name = STATEMENT.exec(statement)?.[1]
    if (name !== undefined) return { name, text: statement }
    const form = 'create index concurrently if not exists <name> on …'
    throw new Error(`${file}: outside a transaction write only "${form}", not: ${statement}`)
  })
}
