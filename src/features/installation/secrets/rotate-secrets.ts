import { randomBytes } from 'node:crypto'
import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { CommandError } from '../../../command.ts'
import { addToKeyFile } from '../../../config/key-file.ts'
import { inBackground, inTransaction } from '../../../db/database.ts'
import type { SealedColumn } from '../../../db/sealed-column.ts'
import { iso } from '../../../kernel/time.ts'
import { KEY_BYTES } from '../../../kernel/vault.ts'
import * as q from './queries.ts'

export interface Rotated {
  from: string
  to: string
  rows: number
}

const BATCH = 500

/**
 * Seals every value with the first key of TRADEPOST_SECRETS_KEY, or with a new one where the key
 * lies in a file. Every process must have been started with the new key first, next to the old one.
 * After an interruption the command is run again: it skips finished values.
 */
export async function rotateSecrets(app: App): Promise<Rotated> {
  const before = await q.selectKids(app.db)
  if (app.config.secretsKeys.length === 0) await startNewKey(app, before)
  const to = app.vault.kid
  await q.insertKid(app.db, to)
  let rows = 0
  // Repeats until none is left: values that were sealed meanwhile may lie before the current
  // position.
  for (let sealed = -1; sealed !== 0; rows += sealed) {
    sealed = 0
    for (const column of app.sealedColumns) sealed += await rotateColumn(app, column)
  }
  const from = before.find((kid) => kid !== to) ?? to
  await inTransaction(app.db, async (tx) => {
    await q.keepOnlyKid(tx, to)
    const changes = changesOf({ kid: from }, { kid: to })
    const act = { action: 'secrets.rotate', object: 'installation', object_id: null, changes }
    const now = iso(app.clock.now())
    if (rows > 0 || from !== to)
      await insertStoresEvent(tx, 'all', { origin: app.origin, now }, act)
  })
  return { from, to, rows }
}

const BESIDE_OTHERS =
  'On a database server, processes that run know only the keys that they were started with. Start each of them ' +
  'with TRADEPOST_SECRETS_KEY=new,old, where old is the text of secrets.key and new comes from: ' +
  'openssl rand -base64 32. Then run this again with the same.'

/** The new key is written next to the old one before the first value is sealed with it. */
async function startNewKey({ config, vault, db }: App, known: readonly string[]): Promise<void> {
  // A rotation that was cut off has its new key in the file already.
  if (known.length > 1) return
  // Other processes would not learn the new key: they could not open new values, and would go on
  // sealing with the old one.
  if (config.databaseUrl) throw new CommandError(BESIDE_OTHERS)
  const key = randomBytes(KEY_BYTES)
  await addToKeyFile(config.dataDir, key)
  vault.sealWith(key)
  await q.insertKid(db, vault.kid)
}

async function rotateColumn({ db, vault }: App, column: SealedColumn): Promise<number> {
  let rows = 0
  let after: unknown[] | undefined
  for (;;) {
    const which = { kid: vault.kid, after, limit: BATCH }
    const batch = await inBackground(db, (tx) => q.selectSealedOtherwise(tx, column, which))
    const last = batch.at(-1)
    if (!last) return rows
    await inTransaction(db, async (tx) => {
      for (const row of batch) {
        const context = column.context(row)
        const plain = vault.open(context, row.sealed)
        await q.updateSealed(tx, column, row, vault.seal(context, plain))
      }
    })
    rows += batch.length
    after = column.key.map((name) => last[name])
  }
}
