import type { OrderPage } from '../../features/store/index.ts'
import { formatMoney, type Language } from '../../kernel/language.ts'
import { type Html, html } from '../../reference/index.ts'
import { lineName } from './goods-html.ts'
import { fillIn, TEXTS, textIn } from './texts.ts'

type PageOrder = OrderPage['order']

/** Returns the lines and sums of an order, and the address that it is shipped to. */
export function receiptHtml(order: PageOrder, language: Language): Html {
  const money = (cents: number) => formatMoney(cents, order.currency, language)
  const lines = order.items.map((line) => {
    const fullCents = line.total_cents + line.discount_cents
    return html`<tr><th scope="row">${line.quantity} × ${lineName(line)}</th><td>${money(fullCents)}</td></tr>`
  })
  const sums = sumsOf(order, language).map(
    ({ label, cents, isTotal }) =>
      html`<tr${isTotal && html` class="total"`}><th scope="row">${label}</th><td>${money(cents)}</td></tr>`,
  )
  return html`<section><h2>${textIn(language, TEXTS.receipt)}</h2>
<table><thead><tr><th scope="col">${textIn(language, TEXTS.item)}</th><th scope="col">${textIn(language, TEXTS.price)}</th></tr></thead>
<tbody>${lines}${sums}</tbody></table>
${addressHtml(order, language)}</section>`
}

interface Sum {
  label: string
  cents: number
  isTotal: boolean
}

function sumsOf(order: PageOrder, language: Language): Sum[] {
  const { coupon, discount_cents, shipping, shipping_cents, status } = order
  const label = (name: keyof typeof TEXTS) => textIn(language, TEXTS[name])
  const sums: Sum[] = []
  const add = (text: string, cents: number, isTotal = false) =>
    sums.push({ label: text, cents, isTotal })
  const code = coupon?.code
  if (discount_cents > 0)
    add(code ? fillIn(label('discountOf'), { code }) : label('discount'), -discount_cents)
  if (shipping) add(`${label('shipping')} · ${shipping.name}`, shipping_cents)
  add(label('total'), order.total_cents, true)
  if (order.paid_cents > 0) add(label('paid'), order.paid_cents)
  if (order.refunded_cents > 0) add(label('refunded'), -order.refunded_cents)
  if (status === 'pending' || status === 'partially_paid') add(label('owed'), owedOf(order), true)
  return sums
}

/** Returns what is still to be paid. A refunded part of an order that is not paid yet is owed again. */
export const owedOf = ({ total_cents, paid_cents, refunded_cents }: PageOrder): number =>
  total_cents - paid_cents + refunded_cents

function addressHtml({ shipping_address: address }: PageOrder, language: Language): Html | false {
  if (address === null) return false
  const { name, line1, line2, postal_code, city, region, country } = address
  const town = [postal_code, city].filter((part) => part !== null).join(' ')
  const parts = [name, line1, line2, town, region, country].filter((part) => part !== null)
  return html`<h3>${textIn(language, TEXTS.address)}</h3><address>${parts.map((part) => html`${part}<br>`)}</address>`
}
