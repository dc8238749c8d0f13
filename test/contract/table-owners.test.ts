import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { OWNED_TABLES, WRITES_OF_OTHERS } from '../../src/db/owners.ts'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const TEST = /\.(test|fixture)\.ts$/
const WRITE =
  /(?:insert\s+into|update|delete\s+from|merge\s+into)\s+"?([a-z_]+)"?|(?:insertInto|updateTable|deleteFrom|mergeInto)\('([a-z_]+)'|(?:insertRecord|updateRecord|deleteRecord|addUses)\(\s*\w+,\s*'([a-z_]+)'/g

const tables = [
  ...readFileSync(join(SRC, 'db', 'tables.gen.ts'), 'utf8').matchAll(/^ {2}([a-z_]+): \{$/gm),
].map(([, name]) => name)

const owners = Object.entries(OWNED_TABLES).flatMap(([folder, ownedTables]) =>
  ownedTables.map((table) => [table, folder] as const),
)
const ownerOf = new Map(owners)

const folders = [...new Set([...Object.keys(OWNED_TABLES), ...Object.keys(WRITES_OF_OTHERS)])]
/** Returns the longest listed folder that contains the file. */
const folderOf = (file: string) =>
  folders
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((left, right) => right.length - left.length)[0] ?? file

/** The writes in the SQL texts and Kysely calls of the source, with the folder of the file. */
const writes = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.name.endsWith('.ts') && !TEST.test(entry.name))
  .flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const folder = folderOf(relative(SRC, path).split(sep).join('/'))
    return [...readFileSync(path, 'utf8').matchAll(WRITE)]
      .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
      .filter((table) => tables.includes(table))
      .map((table) => ({ folder, table }))
  })

const isForeign = ({ folder, table }: { folder: string; table: string }) =>
  ownerOf.get(table) !== folder
const describeWrites = (items: readonly { folder: string; table: string }[]) =>
  [...new Set(items.map(({ folder, table }) => `${folder} writes ${table}`))].sort()

test('every table has one owner, and every owned table exists', () => {
  expect(owners.map(([table]) => table).sort()).toEqual([...tables].sort())
})

test('only the owner of a table writes to it, except for the writes listed with a reason', () => {
  const listedWrites = Object.entries(WRITES_OF_OTHERS).flatMap(([folder, reasons]) =>
    Object.keys(reasons).map((table) => ({ folder, table })),
  )
  expect(describeWrites(writes.filter(isForeign))).toEqual(describeWrites(listedWrites))
})
