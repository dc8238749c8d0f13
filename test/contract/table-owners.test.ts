import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { OWNED_TABLES, WRITES_OF_OTHERS } from '../../src/db/owners.ts'
import { OWNERS, TABLES, writtenTables } from '../written-tables.ts'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const TEST = /\.(test|fixture)\.ts$/
const ownerOf = new Map(OWNERS)

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
    return writtenTables(readFileSync(path, 'utf8')).map((table) => ({ folder, table }))
  })

const isForeign = ({ folder, table }: { folder: string; table: string }) =>
  ownerOf.get(table) !== folder
const describeWrites = (items: readonly { folder: string; table: string }[]) =>
  [...new Set(items.map(({ folder, table }) => `${folder} writes ${table}`))].sort()

test('every table has one owner, and every owned table exists', () => {
  expect(OWNERS.map(([table]) => table).sort()).toEqual([...TABLES].sort())
})

test('only the owner of a table writes to it, except for the writes listed with a reason', () => {
  const listedWrites = Object.entries(WRITES_OF_OTHERS).flatMap(([folder, reasons]) =>
    Object.keys(reasons).map((table) => ({ folder, table })),
  )
  expect(describeWrites(writes.filter(isForeign))).toEqual(describeWrites(listedWrites))
})
