import { describe, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type * as sdk from '../../sdk/client/index.ts'
import type { Account } from '../../src/features/store/account/schema.ts'
import type * as orders from '../../src/features/store/orders/schema.ts'
import type * as products from '../../src/features/store/products/schema.ts'
import type * as shipping from '../../src/features/store/shipping/schema.ts'
import type * as stock from '../../src/features/store/stock/schema.ts'
import type * as webhooks from '../../src/features/webhooks/schema.ts'
import type { Code } from '../../src/kernel/errors.ts'

type Client = sdk.Tradepost

/** The wire form of a shape: its input, before defaults and transformations. */
type Wire<S extends z.ZodType> = z.input<S>

// The compiler checks these (`npm run check`). They have no effect at run time.
describe('the types of the client are those of the server', () => {
  test('records', () => {
    expectTypeOf<sdk.Order>().toEqualTypeOf<Wire<typeof orders.Order>>()
    expectTypeOf<sdk.ListedOrder>().toEqualTypeOf<Wire<typeof orders.ListedOrder>>()
    expectTypeOf<sdk.ProductSections>().toEqualTypeOf<Wire<typeof products.ProductSections>>()
    expectTypeOf<sdk.ListedProduct>().toEqualTypeOf<Wire<typeof products.ListedProduct>>()
    expectTypeOf<sdk.StockKey>().toEqualTypeOf<Wire<typeof stock.StockKey>>()
    expectTypeOf<sdk.Webhook>().toEqualTypeOf<Wire<typeof webhooks.Webhook>>()
    expectTypeOf<sdk.WebhookDelivery>().toEqualTypeOf<Wire<typeof webhooks.WebhookDelivery>>()
    expectTypeOf<sdk.Account>().toEqualTypeOf<Wire<typeof Account>>()
  })

  test('bodies', () => {
    expectTypeOf<sdk.NewOrder>().toEqualTypeOf<Wire<typeof orders.NewOrder>>()
    expectTypeOf<sdk.NewProduct>().toEqualTypeOf<Wire<typeof products.NewProduct>>()
    expectTypeOf<sdk.ProductPatch>().toEqualTypeOf<Wire<typeof products.ProductPatch>>()
    expectTypeOf<sdk.NewStockKeys>().toEqualTypeOf<Wire<typeof stock.NewKeys>>()
    expectTypeOf<sdk.NewWebhook>().toEqualTypeOf<Wire<typeof webhooks.NewWebhook>>()
    expectTypeOf<sdk.ShippingZonePatch>().toEqualTypeOf<Wire<typeof shipping.ZonePatch>>()
  })

  test('codes of refusals', () => {
    expectTypeOf<sdk.RefusalCode>().toEqualTypeOf<Code>()
    expectTypeOf<sdk.TradepostError['code']>().toEqualTypeOf<sdk.TradepostErrorCode>()
  })

  test('a query has its values as values, not as text', () => {
    expectTypeOf<sdk.OrdersListQuery['status']>().toEqualTypeOf<orders.Status[] | undefined>()
    expectTypeOf<sdk.OrdersListQuery['customer_id']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<sdk.ProductsListQuery['in_stock']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<keyof sdk.ProductsListQuery>().toEqualTypeOf<keyof products.ProductQuery>()
    expectTypeOf<keyof sdk.OrdersListQuery>().toEqualTypeOf<keyof orders.OrderQuery>()
  })

  test('ids come first, then the body, then the options', () => {
    expectTypeOf<Client['stock']['addKeys']>().parameters.toEqualTypeOf<
      [id: string, variantId: number, body: sdk.NewStockKeys, options?: sdk.PostOptions]
    >()
    expectTypeOf<Client['orders']['cancel']>().parameters.toEqualTypeOf<
      [id: string, body?: sdk.OrdersCancelBody, options?: sdk.PostOptions]
    >()
    expectTypeOf<Client['account']['get']>().parameters.toEqualTypeOf<[options?: sdk.CallOptions]>()
  })

  test('an idempotency key is an option of a POST only', () => {
    expectTypeOf<sdk.PostOptions>().toHaveProperty('idempotencyKey')
    expectTypeOf<sdk.CallOptions>().not.toHaveProperty('idempotencyKey')
    expectTypeOf<Client['products']['update']>()
      .parameter(2)
      .toEqualTypeOf<sdk.CallOptions | undefined>()
  })

  test('a list is a promise of a page, and its records one by one', () => {
    type List = ReturnType<Client['orders']['list']>
    expectTypeOf<Awaited<List>['orders']>().toEqualTypeOf<sdk.ListedOrder[]>()
    expectTypeOf<List>().toExtend<AsyncIterable<sdk.ListedOrder>>()
    expectTypeOf<Promise<sdk.Order>>().not.toExtend<AsyncIterable<unknown>>()
  })
})
