// Prints the types of all tables, read from a newly migrated database: src/db/tables.gen.ts.
// With --check it fails if the file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { openDatabase } from '../dist/db/database.js'
import { openEngine } from '../dist/db/embedded/engine.js'
import { migrate } from '../dist/db/migrate.js'

const FILE = new URL('../src/db/tables.gen.ts', import.meta.url)

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
/** @type {{ rows: { table: string, column: string, type: string, required: boolean, optional: boolean }[] }} */
const { rows } = await sql`
  select c.relname as table, a.attname as column, t.typname as type, a.attnotnull as required,
         a.atthasdef or a.attidentity <> '' as optional
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
   where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
   order by c.relname, a.attnum`.execute(db)
await db.destroy()
await engine.close()

/** @param {{ type: string, required: boolean, optional: boolean }} column */
function typeOf({ type, required, optional }) {
  if (type === 'jsonb') return optional ? 'DefaultedJson' : required ? 'Json' : 'NullableJson'
  const list = type.startsWith('_')
  const base = TYPES[list ? type.slice(1) : type]
  if (!base) throw new Error(`No TypeScript type is known for the column type ${type}.`)
  const full = `${base}${list ? '[]' : ''}${required ? '' : ' | null'}`
  return optional ? `Generated<${full}>` : full
}

const tables = new Map()
for (const row of rows) tables.set(row.table, [...(tables.get(row.table) ?? []), row])
const lines = [
  '// Written by `npm run db:types` from the migrated schema. Do not edit.',
  "import type { ColumnType, Generated } from 'kysely'",
  '',
  '/** Read as what it holds (the shapes say what), written as text. */',
  'type Json = ColumnType<any, string, string>',
  'type DefaultedJson = ColumnType<any, string | undefined, string>',
  'type NullableJson = ColumnType<any, string | null, string | null>',
  '',
  'export interface Tables {',
]
for (const [table, columns] of tables) {
  lines.push(`  ${table}: {`)
  for (const column of columns) lines.push(`    ${column.column}: ${typeOf(column)}`)
  lines.push('  }')
}
lines.push('}', '')
const text = lines.join('\n')

if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('src/db/tables.gen.ts is stale: run `npm run db:types`.\n')
  process.exitCode = 1
}
