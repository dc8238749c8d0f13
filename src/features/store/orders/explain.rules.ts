import type { Order, OrderExplanation } from './schema.ts'

type PricedOrder = Pick<Order, 'items' | 'coupon' | 'shipping' | 'shipping_cents' | 'total_cents'>

/**
 * Returns the lines whose sum is the total of an order. Payments, also those from the balance, and
 * refunds do not change the total.
 */
export function explainTotal({ items, coupon, shipping, ...order }: PricedOrder): OrderExplanation {
  const priceLines = items.map(({ name, variant_name, quantity, unit_price_cents, bundle }) => ({
    label: `${quantity} × ${name} (${variant_name})`,
    amount_cents: quantity * unit_price_cents,
    rule: bundle
      ? `${quantity} × ${unit_price_cents}, the share of a unit in the price of ${bundle.name} at the time of the order.`
      : `${quantity} × ${unit_price_cents}, the price of a unit at the time of the order, after the discount of the product.`,
  }))
  const discountLines = items
    .filter(({ discount_cents }) => discount_cents > 0)
    .map(({ name, variant_name, discount_cents }) => ({
      label: `Coupon ${coupon?.code ?? ''}: ${name} (${variant_name})`,
      amount_cents: -discount_cents,
      rule: `The share of this line in the discount of ${coupon?.discount_cents ?? discount_cents} by the ${coupon?.type ?? 'fixed'} coupon.`,
    }))
  const shippingLines =
    shipping || order.shipping_cents > 0
      ? [
          {
            label: `Shipping: ${shipping?.name ?? 'without a rate'}`,
            amount_cents: order.shipping_cents,
            rule: shipping
              ? `Shipping rate ${shipping.rate_id} of zone ${shipping.zone_id}, for the items and the country of the order.`
              : 'The shipping price of the first order, which a renewal repeats.',
          },
        ]
      : []
  return {
    lines: [...priceLines, ...discountLines, ...shippingLines],
    total_cents: order.total_cents,
  }
}
