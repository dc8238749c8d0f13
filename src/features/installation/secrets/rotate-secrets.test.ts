import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { addToKeyFile, makeKeyFile, readKeyFile } from '../../../config/key-file.ts'
import { kidOf } from '../../../kernel/vault.ts'
import { insertKid, selectKids } from './queries.ts'
import { rotateSecrets } from './rotate-secrets.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost({
    env: { TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64') },
  })
})
afterAll(() => tradepost.close())

test('every column of sealed values is rotated', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and a.attname like '%\_enc'
     order by 1`.execute(tradepost.db)
  const rotatedColumns = tradepost.app.sealedColumns
    .map(({ table, column }) => `${table}.${column}`)
    .sort()
  expect(rotatedColumns).toEqual(rows.map((row) => row.name))
})

test('after a rotation every value is readable, and none is sealed with the old key', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('SECRET-ABCDEF', 2) })
  const headers = { 'idempotency-key': 'rotation' }
  const { id } = await order(tradepost, game.id, {}, { headers })
  await tradepost.post(`/orders/${id}/manual-payments`, {})
  const orderBefore = (await tradepost.get(`/orders/${id}`)).text

  tradepost.app.vault.sealWith(randomBytes(32))
  const { to, rows } = await rotateSecrets(tradepost.app)
  expect(to).toBe(tradepost.app.vault.kid)
  expect(rows).toBeGreaterThanOrEqual(5)
  expect((await tradepost.get(`/orders/${id}`)).text).toBe(orderBefore)
  expect((await order(tradepost, game.id, {}, { headers })).id).toBe(id)
  expect(await countSealedWithOtherKeys(to)).toBe(0)
  expect((await rotateSecrets(tradepost.app)).rows).toBe(0)
})

test('statements that read a whole table during a rotation have a longer timeout', async () => {
  const statements = await tradepost.statements(() => rotateSecrets(tradepost.app))
  const precedingStatements = statements.filter((_, index) =>
    statements[index + 1]?.includes('substring('),
  )
  expect(precedingStatements).toHaveLength(tradepost.app.sealedColumns.length)
  for (const text of precedingStatements) expect(text).toContain("'statement_timeout'")
})

/** Creates an order that is paid with an idempotency key, which writes every kind of sealed value. */
async function createPaidOrder(): Promise<string> {
  const name = `SECRET-${randomBytes(6).toString('hex')}`
  const game = await product(tradepost, {}, { keys: keysNamed(name, 1) })
  const headers = { 'idempotency-key': name }
  const { id } = await order(tradepost, game.id, { mark_paid: true }, { headers })
  return id
}

/** Counts the values that are not sealed with this key. */
async function countSealedWithOtherKeys(kid: string): Promise<number> {
  let count = 0
  for (const { table, column } of tradepost.app.sealedColumns) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)}
       where substring(${sql.ref(column)} from 2 for 4) <> decode(${kid}, 'hex')`.execute(
      tradepost.db,
    )
    count += rows[0]?.count ?? 0
  }
  return count
}

/** Runs a rotation that fails because the payload of the last event is corrupt, and repairs the payload. */
async function interruptRotation(rotate: () => Promise<unknown>): Promise<void> {
  const lastEvent = sql`where no = (select max(no) from event)`
  // Inverts a byte, so the second execution repairs the payload.
  const invertByte = sql`
    update event set payload_enc = set_byte(payload_enc, 20, 255 - get_byte(payload_enc, 20)) ${lastEvent}`
  await invertByte.execute(tradepost.db)
  await expect(rotate()).rejects.toThrow()
  await invertByte.execute(tradepost.db)
}

test('an interrupted rotation loses no value, and its repetition seals only the remaining values', async () => {
  const { vault } = tradepost.app
  const id = await createPaidOrder()
  const orderBefore = (await tradepost.get(`/orders/${id}`)).text
  const from = vault.kid
  await insertKid(tradepost.db, from)
  vault.sealWith(randomBytes(32))
  const total = await countSealedWithOtherKeys(vault.kid)

  await interruptRotation(() => rotateSecrets(tradepost.app))
  expect((await selectKids(tradepost.db)).sort()).toEqual([from, vault.kid].sort())
  const remaining = await countSealedWithOtherKeys(vault.kid)
  expect(remaining).toBeGreaterThan(0)
  expect(remaining).toBeLessThan(total)
  expect((await tradepost.get(`/orders/${id}`)).text).toBe(orderBefore)

  expect(await rotateSecrets(tradepost.app)).toEqual({ from, to: vault.kid, rows: remaining })
  expect(await countSealedWithOtherKeys(vault.kid)).toBe(0)
  expect(await selectKids(tradepost.db)).toEqual([vault.kid])
  expect((await tradepost.get(`/orders/${id}`)).text).toBe(orderBefore)
  expect(await rotateSecrets(tradepost.app)).toEqual({ from: vault.kid, to: vault.kid, rows: 0 })
})

const LATE_EVENT_NO = 999_999_999

test('a value that another process sealed with the old key during a rotation is sealed again', async () => {
  const { vault } = tradepost.app
  const from = vault.kid
  await createPaidOrder()
  await sql`create table template_event as select * from event order by no desc limit 1`.execute(
    tradepost.db,
  )
  // Stored answers are rotated after events, so the pass over events misses an event that is written then.
  await sql`
    create function write_late_event() returns trigger language plpgsql as $$
    begin
      insert into event
      select store_id, ${sql.lit(LATE_EVENT_NO)}, tag, type, object_id, test, payload_enc, created_at from template_event
          on conflict do nothing;
      return null;
    end $$`.execute(tradepost.db)
  await sql`
    create trigger write_late_event after update on idempotent_answer
       for each statement execute function write_late_event()`.execute(tradepost.db)
  vault.sealWith(randomBytes(32))
  const expected = (await countSealedWithOtherKeys(vault.kid)) + 1
  const { to, rows } = await rotateSecrets(tradepost.app)
  expect({ to, rows }).toEqual({ to: vault.kid, rows: expected })
  expect(to).not.toBe(from)
  const { rows: lateEvents } = await sql`select 1 from event where no = ${LATE_EVENT_NO}`.execute(
    tradepost.db,
  )
  expect(lateEvents).toHaveLength(1)
  expect(await countSealedWithOtherKeys(to)).toBe(0)
  await sql`drop function write_late_event cascade`.execute(tradepost.db)
  await sql`drop table template_event`.execute(tradepost.db)
})

describe('with the key in a file', () => {
  let dataDir: string

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tradepost-keys-'))
    await makeKeyFile(dataDir, useNewKey())
    await sql`delete from secrets_key`.execute(tradepost.db)
    await insertKid(tradepost.db, tradepost.app.vault.kid)
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  /** Makes the vault seal with a new key, and returns the key. */
  function useNewKey(): Buffer {
    const key = randomBytes(32)
    tradepost.app.vault.sealWith(key)
    return key
  }
  const app = () => ({
    ...tradepost.app,
    config: { ...tradepost.app.config, secretsKeys: [], dataDir },
  })
  const kidsOfFile = async () => ((await readKeyFile(dataDir)) ?? []).map(kidOf)

  test('a rotation adds its new key as the first, and a repetition after an interruption adds no third key', async () => {
    const from = tradepost.app.vault.kid
    const id = await createPaidOrder()
    const orderBefore = (await tradepost.get(`/orders/${id}`)).text
    await interruptRotation(() => rotateSecrets(app()))
    const to = tradepost.app.vault.kid
    expect(to).not.toBe(from)
    expect(await kidsOfFile()).toEqual([to, from])

    expect(await rotateSecrets(app())).toMatchObject({ from, to })
    expect(await kidsOfFile()).toEqual([to, from])
    expect(await selectKids(tradepost.db)).toEqual([to])
    expect((await tradepost.get(`/orders/${id}`)).text).toBe(orderBefore)
  })

  test('a rotation interrupted before its first value continues with the key that it wrote', async () => {
    const from = tradepost.app.vault.kid
    await createPaidOrder()
    const key = randomBytes(32)
    await addToKeyFile(dataDir, key)
    // The next start seals with the first key of the file, and records it.
    tradepost.app.vault.sealWith(key)
    await insertKid(tradepost.db, kidOf(key))
    expect(await rotateSecrets(app())).toMatchObject({ from, to: kidOf(key) })
    expect(await kidsOfFile()).toEqual([kidOf(key), from])
  })

  test('a rotation with a database server creates no key, because running processes would not have it', async () => {
    const { kid } = tradepost.app.vault
    const databaseUrl = 'postgres://db.internal/shop'
    const onServer = { ...app(), config: { ...app().config, databaseUrl } }
    await expect(rotateSecrets(onServer)).rejects.toThrow('TRADEPOST_SECRETS_KEY=new,old')
    expect(await kidsOfFile()).toEqual([kid])
    expect(await selectKids(tradepost.db)).toEqual([kid])
    expect(tradepost.app.vault.kid).toBe(kid)
  })

  test('a rotation after a complete one creates another key', async () => {
    await createPaidOrder()
    const first = await rotateSecrets(app())
    const second = await rotateSecrets(app())
    expect(second.from).toBe(first.to)
    expect(second.to).not.toBe(first.to)
    expect(second.rows).toBeGreaterThan(0)
    expect(await kidsOfFile()).toEqual([second.to, first.to, first.from])
    expect(await countSealedWithOtherKeys(second.to)).toBe(0)
  })
})
