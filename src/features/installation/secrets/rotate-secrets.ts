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

interface RotationResult {
  from: string
  to: string
  rows: number
}

const BATCH = 500

/**
 * Seals every value with the first key of TRADEPOST_SECRETS_KEY, or with a new key if the key is in a
 * file. With a database server, every process must already have both keys. An interrupted rotation is
 * continued by running the command again.
 */
export async function rotateSecrets(app: App): Promise<RotationResult> {
  const kids = await q.selectKids(app.db)
  if (app.config.secretsKeys.length === 0) await startNewKey(app, kids)
  const to = app.vault.kid
  await q.insertKid(app.db, to)
  let rows = 0
  // Repeats until a pass finds no value, because another process may seal a value in a row that the current
  // pass has already read.
  let rotatedCount: number
  do {
    rotatedCount = 0
    for (const column of app.sealedColumns) rotatedCount += await rotateColumn(app, column)
    rows += rotatedCount
  } while (rotatedCount > 0)
  const from = kids.find((kid) => kid !== to) ?? to
  await inTransaction(app.db, async (tx) => {
    await q.deleteOtherKids(tx, to)
    const changes = changesOf({ kid: from }, { kid: to })
    const event = { action: 'secrets.rotate', object: 'installation', object_id: null, changes }
    const now = iso(app.clock.now())
    if (rows > 0 || from !== to)
      await insertStoresEvent(tx, 'all', { origin: app.origin, now }, event)
  })
  return { from, to, rows }
}

const START_WITH_BOTH_KEYS =
  'With a database server, running processes have only the keys that they were started with. Restart each of them ' +
  'with TRADEPOST_SECRETS_KEY=new,old, where old is the text of secrets.key and new comes from: ' +
  'openssl rand -base64 32. Then run this command with the same value.'

/** Adds a new key to the key file before the first value is sealed with it. */
async function startNewKey({ config, vault, db }: App, kids: readonly string[]): Promise<void> {
  // An interrupted rotation has already added its new key to the file.
  if (kids.length > 1) return
  // Other processes could not open the new values, and would continue to seal with the old key.
  if (config.databaseUrl) throw new CommandError(START_WITH_BOTH_KEYS)
  const key = randomBytes(KEY_BYTES)
  await addToKeyFile(config.dataDir, key)
  vault.sealWith(key)
  await q.insertKid(db, vault.kid)
}

async function rotateColumn({ db, vault }: App, column: SealedColumn): Promise<number> {
  let rows = 0
  let after: unknown[] | undefined
  for (;;) {
    const page = { kid: vault.kid, after, limit: BATCH }
    const batch = await inBackground(db, (tx) => q.selectSealedWithOtherKeys(tx, column, page))
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
