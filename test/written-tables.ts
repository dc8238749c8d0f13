import { readFileSync } from 'node:fs'
import { OWNED_TABLES } from '../src/db/owners.ts'

const WRITE =
  /(?:insert\s+into|update|delete\s+from|merge\s+into)\s+"?([a-z_]+)"?|(?:insertInto|updateTable|deleteFrom|mergeInto)\('([a-z_]+)'|(?:insertRecord|updateRecord|deleteRecord|addUses)\(\s*\w+,\s*'([a-z_]+)'/g

const generated = readFileSync(new URL('../src/db/tables.gen.ts', import.meta.url), 'utf8')

export const TABLES = [...generated.matchAll(/^ {2}([a-z_]+): \{$/gm)].map(([, name]) =>
  String(name),
)

/** Returns the tables that a statement, or the source of statements, writes. A table can occur several times. */
export const writtenTables = (text: string): string[] =>
  [...text.matchAll(WRITE)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((table) => TABLES.includes(table))

/** The tables with the folder that owns each. */
export const OWNERS = Object.entries(OWNED_TABLES).flatMap(([folder, tables]) =>
  tables.map((table) => [table, folder] as const),
)
