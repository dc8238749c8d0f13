import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CreatedProduct, keysNamed, order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const IMPORT_ID = 'import-of-the-test'
const pathOf = ({ id, variantId }: CreatedProduct) => `/products/${id}/variants/${variantId}`
const addKeys = (game: CreatedProduct, keys: readonly string[], import_id = IMPORT_ID) =>
  tradepost.post(`${pathOf(game)}/keys`, { keys, import_id })
const undoImport = (game: CreatedProduct, import_id = IMPORT_ID) =>
  tradepost.delete(`${pathOf(game)}/key-imports/${import_id}`)
const stockOf = async (game: CreatedProduct): Promise<Json> =>
  (await tradepost.get(`${pathOf(game)}/stock`)).json.stock

describe('the undo of an import of stock keys', () => {
  test('deletes the keys that the calls of the import added, and no others', async () => {
    const game = await product(tradepost, {}, { keys: ['BEFORE-0001'] })
    expect((await addKeys(game, keysNamed('FIRST', 3))).json).toEqual({
      success: true,
      added: 3,
      skipped: 0,
    })
    await addKeys(game, ['BEFORE-0001', ...keysNamed('SECOND', 2)])
    await addKeys(game, keysNamed('NEIGHBOUR', 2), 'another-import')
    const otherGame = await product(tradepost)
    await addKeys(otherGame, keysNamed('FIRST', 4))
    await tradepost.events()
    const { status, json } = await undoImport(game)
    expect([status, json]).toEqual([200, { success: true, deleted: true, count: 5 }])
    expect(await stockOf(game)).toMatchObject({ available: 3, on_hand: 3 })
    expect(await stockOf(otherGame)).toMatchObject({ available: 4, on_hand: 4 })
    expect(await tradepost.events()).toEqual([])
    expect((await undoImport(game)).status).toBe(404)
    expect((await addKeys(game, keysNamed('FIRST', 3))).json.added).toBe(3)
  })

  test('emits product.out_of_stock if no key remains', async () => {
    const game = await product(tradepost)
    await addKeys(game, keysNamed('ALL', 2))
    await tradepost.events()
    expect((await undoImport(game)).status).toBe(200)
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
  })

  test('is refused if one of its keys was sold', async () => {
    const game = await product(tradepost)
    await addKeys(game, keysNamed('SOLD', 3))
    await order(tradepost, game.id, { mark_paid: true })
    const { status, json } = await undoImport(game)
    expect([status, json.code, json.details]).toEqual([409, 'INVALID_STATE', { status: 'sold' }])
    expect(await stockOf(game)).toMatchObject({ available: 2, on_hand: 2, sold: 1 })
  })

  test('is refused if an unpaid order reserves one of its keys', async () => {
    const game = await product(tradepost)
    await addKeys(game, keysNamed('HELD', 2))
    await order(tradepost, game.id, {})
    const { status, json } = await undoImport(game)
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    expect(await stockOf(game)).toMatchObject({ available: 1, on_hand: 2, reserved: 1 })
  })

  test('is possible until ten minutes after the last key, by the clock of the store', async () => {
    const game = await product(tradepost, {}, { as: tradepost.test })
    const asTest = { as: tradepost.test }
    const keys = `${pathOf(game)}/keys`
    await expectSuccess(tradepost.post(keys, { keys: ['LATE-0001'], import_id: IMPORT_ID }, asTest))
    await expectSuccess(tradepost.post('/account/test-clock', { advance: '601s' }, asTest))
    const path = `${pathOf(game)}/key-imports/${IMPORT_ID}`
    const refusal = await tradepost.delete(path, asTest)
    expect([refusal.status, refusal.json.code]).toEqual([409, 'INVALID_STATE'])
    await expectSuccess(tradepost.post(keys, { keys: ['LATE-0002'], import_id: IMPORT_ID }, asTest))
    expect((await tradepost.delete(path, asTest)).json.count).toBe(2)
  })

  test.each(['short', 'has spaces in it', 'x'.repeat(65)])(
    'needs a valid import_id: keys with the import_id %j are refused',
    async (import_id) => {
      const game = await product(tradepost)
      const { status, json } = await addKeys(game, ['NAME-0001'], import_id)
      expect([status, json.details.field]).toEqual([422, 'import_id'])
      expect((await stockOf(game)).available).toBe(0)
    },
  )
})
