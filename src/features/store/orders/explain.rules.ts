import type { Explanation, Order } from './schema.ts'

type Explained = Pick<Order, 'items' | 'coupon' | 'shipping' | 'shipping_cents' | 'total_cents'>

/**
 * The lines whose sum is the total of an order. Payments, a balance among them, and refunds do not
 * change the total.
 */
export function explain({ items, coupon, shipping, ...order }: Explained): Explanation {
  const prices = items.map(({ name, variant_name, quantity, unit_price_cents }) => ({
    label: `${quantity} × ${name} (${variant_name})`,
    amount_cents: quantity * unit_price_cents,
    rule: `${quantity} × ${unit_price_cents}, the price of a unit when it was ordered, less the discount of the product.`,
  }))
  const discounts = items
    .filter(({ discount_cents }) => discount_cents > 0)
    .map(({ name, variant_name, discount_cents }) => ({
      label: `Coupon ${coupon?.code ?? ''}: ${name} (${variant_name})`,
      amount_cents: -discount_cents,
      rule: `This line's part of ${coupon?.discount_cents ?? discount_cents}, which the ${coupon?.type ?? 'fixed'} coupon takes off in all.`,
    }))
  const shippings =
    shipping || order.shipping_cents > 0
      ? [
          {
            label: `Shipping: ${shipping?.name ?? 'without a rate'}`,
            amount_cents: order.shipping_cents,
            rule: shipping
              ? `Shipping rate ${shipping.rate_id} of zone ${shipping.zone_id}, for the items and the country of the order.`
              : 'The price of the first order, for the goods of a renewal.',
          },
        ]
      : []
  return { lines: [...prices, ...discounts, ...shippings], total_cents: order.total_cents }
}
