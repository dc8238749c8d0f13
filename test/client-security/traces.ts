import { sql } from 'kysely'
import type { SealedRow } from '../../src/db/sealed-column.ts'
import type { Tradepost } from '../harness.ts'

/** Returns the rows and sealed values that contain one of these texts, in plain text or as bytes. */
export async function findTraces(
  tradepost: Tradepost,
  texts: readonly string[],
): Promise<string[]> {
  const lowerCaseTexts = texts.map((text) => text.toLowerCase())
  const hexTexts = lowerCaseTexts.map((text) => Buffer.from(text).toString('hex'))
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(tradepost.db)
  const traces: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(tradepost.db)
    const rowTexts = rows.map(({ row }) => row.toLowerCase())
    traces.push(
      ...rowTexts
        .filter(containsOneOf([...lowerCaseTexts, ...hexTexts]))
        .map((text) => `${name} ${text}`),
    )
  }
  for (const sealed of tradepost.app.sealedColumns) {
    // The secrets of the installation are random bytes.
    if (sealed.table === 'installation_secret') continue
    const columns = [...sealed.key, ...(sealed.contextColumns ?? [])].map((column) =>
      sql.ref(column),
    )
    const { rows } = await sql<SealedRow>`
      select ${sql.join(columns)}, ${sql.ref(sealed.column)} as sealed
        from ${sql.table(sealed.table)} where ${sql.ref(sealed.column)} is not null`.execute(
      tradepost.db,
    )
    const openedValues = rows.map((row) =>
      tradepost.app.vault.open(sealed.context(row), row.sealed).toString().toLowerCase(),
    )
    traces.push(
      ...openedValues
        .filter(containsOneOf(lowerCaseTexts))
        .map((text) => `${sealed.table} ${text}`),
    )
  }
  return traces
}

const containsOneOf = (parts: readonly string[]) => (text: string) =>
  parts.some((part) => text.includes(part))
