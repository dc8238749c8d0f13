// Prints the types of all tables, read from a newly migrated database: src/db/tables.gen.ts, and the
// digests of new migrations: src/db/migrations/accepted.sha256. With --check it fails if one of them is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { openDatabase } from '../dist/db/database.js'
import { openEngine } from '../dist/db/embedded/engine.js'
import { migrate } from '../dist/db/migrate.js'
import { MIGRATIONS, readDigests, readMigrations } from '../dist/db/migration-files.js'

const TABLES = new URL('../src/db/tables.gen.ts', import.meta.url)
const DIGESTS = new URL('../src/db/migrations/accepted.sha256', import.meta.url)

/** @type {Record<string, string>} */
const TYPES = {
  text: 'string',
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  timestamptz: 'string',
  date: 'string',
  bytea: 'Buffer',
  cidr: 'string',
}

const engine = await openEngine({})
const db = openDatabase({ stream: engine.connect })
await migrate(db)
/** @type {{ rows: { table: string, column: string, type: string, isRequired: boolean, isOptional: boolean }[] }} */
const { rows } = await sql`
  select c.relname as table, a.attname as column, t.typname as type, a.attnotnull as "isRequired",
         a.atthasdef or a.attidentity <> '' as "isOptional"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
   where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
   order by c.relname, a.attnum`.execute(db)
await db.destroy()
await engine.close()

/** @param {{ type: string, isRequired: boolean, isOptional: boolean }} column */
function typeOf({ type, isRequired, isOptional }) {
  if (type === 'jsonb') {
    if (isOptional) return 'DefaultedJson'
    return isRequired ? 'Json' : 'NullableJson'
  }
  const isArray = type.startsWith('_')
  const elementType = TYPES[isArray ? type.slice(1) : type]
  if (!elementType) throw new Error(`TYPES has no TypeScript type for the column type ${type}.`)
  const valueType = `${elementType}${isArray ? '[]' : ''}${isRequired ? '' : ' | null'}`
  return isOptional ? `Generated<${valueType}>` : valueType
}

const columnsByTable = new Map()
for (const row of rows) {
  columnsByTable.set(row.table, [...(columnsByTable.get(row.table) ?? []), row])
}
const lines = [
  '// Written by `npm run db:types` from the migrated schema. Do not edit.',
  "import type { ColumnType, Generated } from 'kysely'",
  '',
  '/** A JSON column. It is read as a value, whose type the shapes define, and written as text. */',
  'type Json = ColumnType<any, string, string>',
  'type DefaultedJson = ColumnType<any, string | undefined, string>',
  'type NullableJson = ColumnType<any, string | null, string | null>',
  '',
  'export interface Tables {',
]
for (const [table, columns] of columnsByTable) {
  lines.push(`  ${table}: {`)
  for (const column of columns) lines.push(`    ${column.column}: ${typeOf(column)}`)
  lines.push('  }')
}
lines.push('}', '')

const listedDigests = await readDigests(MIGRATIONS)
for (const { name, digest } of await readMigrations(MIGRATIONS)) {
  const digests = listedDigests.get(name) ?? [digest]
  if (!digests.includes(digest)) {
    throw new Error(
      `${name} was edited, so a database that has it would be refused. Undo the edit. If the outcome is the same, add the line "${digest}  ${name}" to accepted.sha256.`,
    )
  }
  listedDigests.set(name, digests)
}
const digestLines = [...listedDigests]
  .sort(([left], [right]) => (left < right ? -1 : 1))
  .flatMap(([name, digests]) => digests.map((digest) => `${digest}  ${name}\n`))

/** @type {[URL, string][]} */
const files = [
  [TABLES, lines.join('\n')],
  [DIGESTS, digestLines.join('')],
]
for (const [file, text] of files) {
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${file.pathname} is stale: run \`npm run db:types\`.\n`)
    process.exitCode = 1
  }
}
