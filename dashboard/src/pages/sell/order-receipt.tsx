import { useRef } from 'react'
import type { Order } from '../../api/store.ts'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Receipt, Stamp, State } from '../../kit/show.tsx'
import { Failure, Skeleton } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orderRefund } from '../../text/order-refund.ts'
import { orders } from '../../text/orders.ts'
import { paymentTimeline } from '../../text/payment-timeline.ts'
import { isOpenStatus, owedCentsOf } from './open-orders.ts'
import { useConversion } from './order-conversion.ts'
import { isPaid, providerCosts } from './provider-costs.ts'

export function OrderReceipt({ order }: { order: Order }) {
  const { currency, total_cents, paid_cents, refunded_cents } = order
  const money = (cents: number) => formatMoney(cents, currency)
  const lineUnlessZero = (key: string, name: string, cents: number) =>
    cents === 0 ? [] : [{ key, name, amount: money(cents) }]
  const { data: conversion, error, isLoading, refetch } = useConversion(order)
  // A rejected conversion earns nothing; a flagged one may still be accepted.
  const commission = conversion && conversion.status !== 'rejected' ? conversion.commission : 0
  const costs = costsOf(order)
  const sellerLines = [
    ...(conversion && commission > 0
      ? [
          {
            key: 'commission',
            name: (
              <>
                {fill(orders.commissionOf, {
                  partner: conversion.partner.name ?? conversion.partner.email,
                })}{' '}
                <State state={conversion.commission_state} />
              </>
            ),
            amount: money(-commission),
          },
        ]
      : []),
    ...lineUnlessZero('fees', orders.fees, -costs.cents),
    {
      key: 'keep',
      name: orders.youKeep,
      amount: money(paid_cents - refunded_cents - commission - costs.cents),
      isSum: true,
    },
  ]
  const owedCents = owedCentsOf(order)
  const isOpen = isOpenStatus(order.status)
  return (
    <section className="card torn-edge" aria-label={orders.receipt}>
      <header className="card-head">
        <h2>{orders.receipt}</h2>
        <OrderStamp status={order.status} />
      </header>
      <Receipt
        lines={[
          ...order.items.map((item) => ({
            key: `item ${item.id}`,
            name: (
              <>
                {item.quantity} ×{' '}
                <Link to={`/products/${item.product_id}`}>
                  {item.name}
                  {item.variant_name !== 'Default' && ` · ${item.variant_name}`}
                </Link>
                {item.cancelled_quantity > 0 && (
                  <span className="secondary-text">
                    {' '}
                    {fill(orderRefund.cancelledUnits, { n: formatNumber(item.cancelled_quantity) })}
                  </span>
                )}
                {item.bundle && (
                  <span className="secondary-text">
                    {' '}
                    {fill(orders.ofBundle, { bundle: item.bundle.name })}
                  </span>
                )}
              </>
            ),
            amount: money(item.quantity * item.unit_price_cents),
          })),
          ...lineUnlessZero('discount', orders.discount, -order.discount_cents),
          ...lineUnlessZero('shipping', orders.shipping, order.shipping_cents),
          { key: 'total', name: common.total, amount: money(total_cents), isSum: true },
          ...lineUnlessZero('paid', orders.paidSum, paid_cents),
          ...lineUnlessZero('refunded', orders.refundedSum, -refunded_cents),
          ...(isOpen && owedCents > 0
            ? [{ key: 'owed', name: orders.due, amount: money(owedCents), isSum: true }]
            : []),
          ...(!isOpen && paid_cents > 0 && !isLoading ? sellerLines : []),
        ]}
      />
      {isLoading && <Skeleton rows={1} />}
      {error && <Failure error={error} retry={() => refetch()} />}
      {!isOpen && paid_cents > 0 && costs.help && <p className="secondary-text">{costs.help}</p>}
    </section>
  )
}

/** The fees of the providers of an order, and what is not known about them. */
function costsOf({ payments }: Order): { cents: number; help: string | undefined } {
  const paid = payments.filter(isPaid)
  const costs = paid.map(providerCosts)
  const cents = costs.reduce((sum, cost) => sum + cost.cents, 0)
  if (paid.every(({ provider }) => provider === null)) return { cents, help: orders.keepHelp }
  const isKnown = costs.every((cost) => cost.isKnown)
  return { cents, help: isKnown ? undefined : paymentTimeline.feesNotKnown }
}

/** The stamp of an order. It is animated when the order is paid while the page is open. */
function OrderStamp({ status }: { status: Order['status'] }) {
  const firstStatus = useRef(status)
  const isPaid = ['paid', 'completed'].includes(status)
  const isAnimated = isPaid && isOpenStatus(firstStatus.current)
  return (
    <span className={isAnimated ? 'landing' : undefined}>
      <Stamp state={status} />
    </span>
  )
}
