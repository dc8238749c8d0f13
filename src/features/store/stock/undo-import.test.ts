import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product, type Stocked } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const IMPORT = 'import-of-the-test'
const pathOf = ({ id, variantId }: Stocked) => `/products/${id}/variants/${variantId}`
const add = (game: Stocked, keys: readonly string[], import_id = IMPORT) =>
  tradepost.post(`${pathOf(game)}/keys`, { keys, import_id })
const undo = (game: Stocked, import_id = IMPORT) =>
  tradepost.delete(`${pathOf(game)}/key-imports/${import_id}`)
const stockOf = async (game: Stocked): Promise<Json> =>
  (await tradepost.get(`${pathOf(game)}/stock`)).json.stock

describe('an import of stock keys is undone (decision 321)', () => {
  test('all keys of its calls are deleted, no other, and stock follows', async () => {
    const game = await product(tradepost, {}, { keys: ['BEFORE-0001'] })
    expect((await add(game, keysNamed('FIRST', 3))).json).toEqual({
      success: true,
      added: 3,
      skipped: 0,
    })
    await add(game, ['BEFORE-0001', ...keysNamed('SECOND', 2)])
    await add(game, keysNamed('NEIGHBOUR', 2), 'another-import')
    const other = await product(tradepost)
    await add(other, keysNamed('FIRST', 4))
    await tradepost.events()
    const { status, json } = await undo(game)
    expect([status, json]).toEqual([200, { success: true, deleted: true, count: 5 }])
    expect(await stockOf(game)).toMatchObject({ available: 3, on_hand: 3 })
    expect(await stockOf(other)).toMatchObject({ available: 4, on_hand: 4 })
    expect(await tradepost.events()).toEqual([])
    expect((await undo(game)).status).toBe(404)
    expect((await add(game, keysNamed('FIRST', 3))).json.added).toBe(3)
  })

  test('the product is reported out of stock when nothing is left', async () => {
    const game = await product(tradepost)
    await add(game, keysNamed('ALL', 2))
    await tradepost.events()
    expect((await undo(game)).status).toBe(200)
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
  })

  test('one sold key keeps all of them', async () => {
    const game = await product(tradepost)
    await add(game, keysNamed('SOLD', 3))
    await order(tradepost, game.id, { mark_paid: true })
    const { status, json } = await undo(game)
    expect([status, json.code, json.details]).toEqual([409, 'INVALID_STATE', { status: 'sold' }])
    expect(await stockOf(game)).toMatchObject({ available: 2, on_hand: 2, sold: 1 })
  })

  test('what an unpaid order holds is not deleted from under it', async () => {
    const game = await product(tradepost)
    await add(game, keysNamed('HELD', 2))
    await order(tradepost, game.id, {})
    const { status, json } = await undo(game)
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    expect(await stockOf(game)).toMatchObject({ available: 1, on_hand: 2, reserved: 1 })
  })

  test('it ends ten minutes after its last key, by the clock of the store', async () => {
    const game = await product(tradepost, {}, { as: tradepost.test })
    const as = { as: tradepost.test }
    const keys = `${pathOf(game)}/keys`
    await tradepost.post(keys, { keys: ['LATE-0001'], import_id: IMPORT }, as)
    await tradepost.post('/account/test-clock', { advance: '601s' }, as)
    const path = `${pathOf(game)}/key-imports/${IMPORT}`
    const late = await tradepost.delete(path, as)
    expect([late.status, late.json.code]).toEqual([409, 'INVALID_STATE'])
    await tradepost.post(keys, { keys: ['LATE-0002'], import_id: IMPORT }, as)
    expect((await tradepost.delete(path, as)).json.count).toBe(2)
  })

  test.each(['short', 'has spaces in it', 'x'.repeat(65)])(
    'a name such as %j is refused',
    async (import_id) => {
      const game = await product(tradepost)
      const { status, json } = await add(game, ['NAME-0001'], import_id)
      expect([status, json.details.field]).toEqual([422, 'import_id'])
      expect((await stockOf(game)).available).toBe(0)
    },
  )
})
