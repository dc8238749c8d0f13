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

test('every column of sealed values is rotated, and none is left out', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and a.attname like '%\_enc'
     order by 1`.execute(tradepost.db)
  const known = tradepost.app.sealedColumns.map(({ table, column }) => `${table}.${column}`).sort()
  expect(known).toEqual(rows.map((row) => row.name))
})

test('after a rotation everything opens with the new key, and nothing needs the old one', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('SECRET-ABCDEF', 2) })
  const headers = { 'idempotency-key': 'rotation' }
  const { id } = await order(tradepost, game.id, {}, { headers })
  await tradepost.post(`/orders/${id}/manual-payments`, {})
  const before = (await tradepost.get(`/orders/${id}`)).text

  tradepost.app.vault.sealWith(randomBytes(32))
  const { to, rows } = await rotateSecrets(tradepost.app)
  expect(to).toBe(tradepost.app.vault.kid)
  expect(rows).toBeGreaterThanOrEqual(5)
  expect((await tradepost.get(`/orders/${id}`)).text).toBe(before)
  expect((await order(tradepost, game.id, {}, { headers })).id).toBe(id)
  for (const { table, column } of tradepost.app.sealedColumns) {
    const { rows: old } = await sql`
      select 1 from ${sql.table(table)}
       where substring(${sql.ref(column)} from 2 for 4) <> decode(${to}, 'hex')`.execute(
      tradepost.db,
    )
    expect(old).toEqual([])
  }
  expect((await rotateSecrets(tradepost.app)).rows).toBe(0)
})

test('what reads all of a table while secrets are rotated has the time for it', async () => {
  const sent = await tradepost.statements(() => rotateSecrets(tradepost.app))
  const reads = sent.flatMap((text, at) => (/substring\(/.test(text) ? [sent[at - 1]] : []))
  expect(reads).toHaveLength(tradepost.app.sealedColumns.length)
  for (const before of reads) expect(before).toContain("'statement_timeout'")
})

/** An order that was paid under an idempotency key: every kind of secret it leaves, sealed anew. */
async function sell(): Promise<string> {
  const name = `SECRET-${randomBytes(6).toString('hex')}`
  const game = await product(tradepost, {}, { keys: keysNamed(name, 1) })
  const headers = { 'idempotency-key': name }
  const { id } = await order(tradepost, game.id, { mark_paid: true }, { headers })
  return id
}

/** How many values are sealed with another key than this. */
async function sealedOtherwise(kid: string): Promise<number> {
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

/** A rotation that breaks in the middle: one payload does not open while it runs. */
async function cutOff(rotate: () => Promise<unknown>): Promise<void> {
  const spoilt = sql`where no = (select max(no) from event)`
  const spoil = sql`
    update event set payload_enc = set_byte(payload_enc, 20, 255 - get_byte(payload_enc, 20)) ${spoilt}`
  await spoil.execute(tradepost.db)
  await expect(rotate()).rejects.toThrow()
  await spoil.execute(tradepost.db)
}

test('a rotation that was cut off needs both keys, loses nothing, and does only the rest when repeated', async () => {
  const { vault } = tradepost.app
  const id = await sell()
  const before = (await tradepost.get(`/orders/${id}`)).text
  const from = vault.kid
  await insertKid(tradepost.db, from)
  vault.sealWith(randomBytes(32))
  const all = await sealedOtherwise(vault.kid)

  await cutOff(() => rotateSecrets(tradepost.app))
  expect((await selectKids(tradepost.db)).sort()).toEqual([from, vault.kid].sort())
  const left = await sealedOtherwise(vault.kid)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(all)
  expect((await tradepost.get(`/orders/${id}`)).text).toBe(before)

  expect(await rotateSecrets(tradepost.app)).toEqual({ from, to: vault.kid, rows: left })
  expect(await sealedOtherwise(vault.kid)).toBe(0)
  expect(await selectKids(tradepost.db)).toEqual([vault.kid])
  expect((await tradepost.get(`/orders/${id}`)).text).toBe(before)
  expect(await rotateSecrets(tradepost.app)).toEqual({ from: vault.kid, to: vault.kid, rows: 0 })
})

test('what another process sealed with the old key behind the walk is sealed anew too', async () => {
  const { vault } = tradepost.app
  const from = vault.kid
  await sell()
  await sql`create table kept as select * from event order by no desc limit 1`.execute(tradepost.db)
  // Stored answers are walked after events, so the event that is written with them lies behind.
  await sql`
    create function write_behind() returns trigger language plpgsql as $$
    begin
      insert into event
      select store_id, 999999999, tag, type, object_id, test, payload_enc, created_at from kept
          on conflict do nothing;
      return null;
    end $$`.execute(tradepost.db)
  await sql`
    create trigger write_behind after update on idempotent_answer
       for each statement execute function write_behind()`.execute(tradepost.db)
  vault.sealWith(randomBytes(32))
  const expected = (await sealedOtherwise(vault.kid)) + 1
  const { to, rows } = await rotateSecrets(tradepost.app)
  expect({ to, rows }).toEqual({ to: vault.kid, rows: expected })
  expect(to).not.toBe(from)
  const { rows: behind } = await sql`select 1 from event where no = 999999999`.execute(tradepost.db)
  expect(behind).toHaveLength(1)
  expect(await sealedOtherwise(to)).toBe(0)
  await sql`drop function write_behind cascade`.execute(tradepost.db)
  await sql`drop table kept`.execute(tradepost.db)
})

describe('where the key lies in a file', () => {
  let dataDir: string

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tradepost-keys-'))
    await makeKeyFile(dataDir, startKey())
    await sql`delete from secrets_key`.execute(tradepost.db)
    await insertKid(tradepost.db, tradepost.app.vault.kid)
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  /** A key that the vault seals with, and has sealed everything with. */
  function startKey(): Buffer {
    const key = randomBytes(32)
    tradepost.app.vault.sealWith(key)
    return key
  }
  const app = () => ({
    ...tradepost.app,
    config: { ...tradepost.app.config, secretsKeys: [], dataDir },
  })
  const kidsOfFile = async () => ((await readKeyFile(dataDir)) ?? []).map(kidOf)

  test('a rotation puts a new one before it, and one that was cut off makes no third', async () => {
    const from = tradepost.app.vault.kid
    const id = await sell()
    const before = (await tradepost.get(`/orders/${id}`)).text
    await cutOff(() => rotateSecrets(app()))
    const to = tradepost.app.vault.kid
    expect(to).not.toBe(from)
    expect(await kidsOfFile()).toEqual([to, from])

    expect(await rotateSecrets(app())).toMatchObject({ from, to })
    expect(await kidsOfFile()).toEqual([to, from])
    expect(await selectKids(tradepost.db)).toEqual([to])
    expect((await tradepost.get(`/orders/${id}`)).text).toBe(before)
  })

  test('one that was cut off before its first value goes on with the key that it wrote', async () => {
    const from = tradepost.app.vault.kid
    await sell()
    const key = randomBytes(32)
    await addToKeyFile(dataDir, key)
    // The next start seals with the first key of the file, and records it.
    tradepost.app.vault.sealWith(key)
    await insertKid(tradepost.db, kidOf(key))
    expect(await rotateSecrets(app())).toMatchObject({ from, to: kidOf(key) })
    expect(await kidsOfFile()).toEqual([kidOf(key), from])
  })

  test('on a server no key is made, because running processes would not know it', async () => {
    const { kid } = tradepost.app.vault
    const databaseUrl = 'postgres://db.internal/shop'
    const served = { ...app(), config: { ...app().config, databaseUrl } }
    await expect(rotateSecrets(served)).rejects.toThrow('TRADEPOST_SECRETS_KEY=new,old')
    expect(await kidsOfFile()).toEqual([kid])
    expect(await selectKids(tradepost.db)).toEqual([kid])
    expect(tradepost.app.vault.kid).toBe(kid)
  })

  test('a rotation after one that was done makes another key', async () => {
    await sell()
    const first = await rotateSecrets(app())
    const second = await rotateSecrets(app())
    expect(second.from).toBe(first.to)
    expect(second.to).not.toBe(first.to)
    expect(second.rows).toBeGreaterThan(0)
    expect(await kidsOfFile()).toEqual([second.to, first.to, first.from])
    expect(await sealedOtherwise(second.to)).toBe(0)
  })
})
