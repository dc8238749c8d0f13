import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { listImports } from '../../src/features/store/stock/list-imports.ts'
import { selectKeysByHash } from '../../src/features/store/stock/queries/keys.ts'
import { putOnSale } from '../concurrency/put-on-sale.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead, nodesOf } from './plans.ts'

// Only the dashboard has these reads. No user signs in here, so their use cases and queries are called directly.

const KEYS = 1_000_000
const KEYS_OF_IMPORT = 10_000
const PAGE = 25

let query: { product_id: string; variant_id: number }

const tradepost = bigStore(async (servedStore) => {
  const { storeId } = servedStore
  const game = await putOnSale(servedStore, [])
  query = { product_id: game.id, variant_id: game.variantId }
  return [
    `insert into stock_key (store_id, variant_id, value_enc, value_hmac, status, created_at, import_id)
     select ${storeId}, ${game.variantId}, '', decode(md5(n::text), 'hex'),
            case when n % 2 = 0 then 'sold' else 'available' end, now(), 'import-' || n / ${KEYS_OF_IMPORT}
       from generate_series(0, ${KEYS - 1}) n`,
    'vacuum analyze stock_key, stock_key_batch',
  ]
})

test('the newest batches of 1,000,000 stock keys are read without the keys', async () => {
  const { json, plans } = await tradepost.explain(
    async () => ({ imports: await listImports(tradepost.contextNow(), query) }),
    /stock_key/,
  )
  expect(json.imports).toHaveLength(PAGE)
  expect(json.imports[0]).toMatchObject({
    import_id: `import-${KEYS / KEYS_OF_IMPORT - 1}`,
    count: KEYS_OF_IMPORT,
    available: KEYS_OF_IMPORT / 2,
    sold: KEYS_OF_IMPORT / 2,
  })
  expect(plans).toHaveLength(1)
  expect(plans.flatMap(nodesOf).map((node) => node['Relation Name'])).not.toContain('stock_key')
  expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(KEYS / KEYS_OF_IMPORT)
})

test('a stock key is found by its text among 1,000,000 without reading others', async () => {
  const { db, store } = tradepost.contextNow()
  const hash = createHash('md5').update('77').digest()
  const { json, plans } = await tradepost.explain(async () => ({
    keys: await selectKeysByHash(db, store.id, hash, PAGE),
  }))
  expect(json.keys).toHaveLength(1)
  expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(2)
})
