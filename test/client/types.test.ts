import { describe, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type * as sdk from '../../sdk/client/index.ts'
import type { Account } from '../../src/features/store/account/schema.ts'
import type { OrderQuery } from '../../src/features/store/orders/query-schema.ts'
import type * as orders from '../../src/features/store/orders/schema.ts'
import type * as products from '../../src/features/store/products/schema.ts'
import type * as shipping from '../../src/features/store/shipping/schema.ts'
import type * as stock from '../../src/features/store/stock/schema.ts'
import type * as webhooks from '../../src/features/webhooks/schema.ts'
import type { Code } from '../../src/kernel/errors.ts'

type Client = sdk.Tradepost

/** The input of a shape, before defaults and transformations. */
type Wire<S extends z.ZodType> = z.input<S>

// The compiler checks these types (`npm run check`). The tests have no effect at run time.
describe('the types of the client', () => {
  test('are those of the server for records', () => {
    expectTypeOf<sdk.Order>().toEqualTypeOf<Wire<typeof orders.Order>>()
    expectTypeOf<sdk.ListedOrder>().toEqualTypeOf<Wire<typeof orders.ListedOrder>>()
    expectTypeOf<sdk.ProductSections>().toEqualTypeOf<Wire<typeof products.ProductSections>>()
    expectTypeOf<sdk.ListedProduct>().toEqualTypeOf<Wire<typeof products.ListedProduct>>()
    expectTypeOf<sdk.StockKey>().toEqualTypeOf<Wire<typeof stock.StockKey>>()
    expectTypeOf<sdk.Webhook>().toEqualTypeOf<Wire<typeof webhooks.Webhook>>()
    expectTypeOf<sdk.WebhookDelivery>().toEqualTypeOf<Wire<typeof webhooks.WebhookDelivery>>()
    expectTypeOf<sdk.Account>().toEqualTypeOf<Wire<typeof Account>>()
  })

  test('are those of the server for bodies', () => {
    expectTypeOf<sdk.OrderInput>().toEqualTypeOf<Wire<typeof orders.NewOrder>>()
    expectTypeOf<sdk.ProductInput>().toEqualTypeOf<Wire<typeof products.NewProduct>>()
    expectTypeOf<sdk.ProductPatch>().toEqualTypeOf<Wire<typeof products.ProductPatch>>()
    expectTypeOf<sdk.StockKeysInput>().toEqualTypeOf<Wire<typeof stock.NewStockKeys>>()
    expectTypeOf<sdk.WebhookInput>().toEqualTypeOf<Wire<typeof webhooks.NewWebhook>>()
    expectTypeOf<sdk.ShippingZonePatch>().toEqualTypeOf<Wire<typeof shipping.ZonePatch>>()
  })

  test('are those of the server for error codes', () => {
    expectTypeOf<sdk.RefusalCode>().toEqualTypeOf<Code>()
    expectTypeOf<sdk.TradepostError['code']>().toEqualTypeOf<sdk.TradepostErrorCode>()
  })

  test('are numbers, booleans and unions for query parameters', () => {
    expectTypeOf<sdk.OrdersListQuery['status']>().toEqualTypeOf<orders.OrderStatus[] | undefined>()
    expectTypeOf<sdk.OrdersListQuery['customer_id']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<sdk.ProductsListQuery['in_stock']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<keyof sdk.ProductsListQuery>().toEqualTypeOf<keyof products.ProductQuery>()
    expectTypeOf<keyof sdk.OrdersListQuery>().toEqualTypeOf<keyof OrderQuery>()
  })

  test('list the ids, the body and the options as the parameters of a function, in this sequence', () => {
    expectTypeOf<Client['stock']['addKeys']>().parameters.toEqualTypeOf<
      [id: string, variantId: number, body: sdk.StockKeysInput, options?: sdk.PostOptions]
    >()
    expectTypeOf<Client['orders']['cancel']>().parameters.toEqualTypeOf<
      [id: string, body?: sdk.OrdersCancelBody, options?: sdk.PostOptions]
    >()
    expectTypeOf<Client['account']['get']>().parameters.toEqualTypeOf<[options?: sdk.CallOptions]>()
  })

  test('have an idempotency key in the options of a POST only', () => {
    expectTypeOf<sdk.PostOptions>().toHaveProperty('idempotencyKey')
    expectTypeOf<sdk.CallOptions>().not.toHaveProperty('idempotencyKey')
    expectTypeOf<Client['products']['update']>()
      .parameter(2)
      .toEqualTypeOf<sdk.CallOptions | undefined>()
  })

  test('allow a list to be awaited as a page and to be iterated by record', () => {
    type List = ReturnType<Client['orders']['list']>
    expectTypeOf<Awaited<List>['orders']>().toEqualTypeOf<sdk.ListedOrder[]>()
    expectTypeOf<List>().toExtend<AsyncIterable<sdk.ListedOrder>>()
    expectTypeOf<Promise<sdk.Order>>().not.toExtend<AsyncIterable<unknown>>()
  })
})
