import type { OrderPage } from '../../features/store/index.ts'
import { formatDay, formatMoney, formatTime, type Language } from '../../kernel/language.ts'
import { type Html, html } from '../../reference/index.ts'
import { framed } from './frame.ts'
import { goodsHtml } from './goods-html.ts'
import { owedOf, receiptHtml } from './receipt-html.ts'
import { fillIn, PARCEL_TEXTS, STATUS_TEXTS, TEXTS, textIn } from './texts.ts'

const PAYABLE: readonly string[] = ['pending', 'partially_paid']
/** The statuses that change without the buyer, so that the page asks for news. */
const WAITING: readonly string[] = [...PAYABLE, 'manual_review', 'paid']

/** Returns the page of an order. Its links are relative to its address, whose last part is `token`. */
export function pageHtml(page: OrderPage, token: string): string {
  const { language } = page.order
  const { order, livemode, store_name, support_email, time_zone } = page
  const title = fillIn(textIn(language, TEXTS.order), { number: order.number })
  const day = formatDay(order.created_at, time_zone, language)
  const statusText = STATUS_TEXTS[order.hold ? 'on_hold' : order.status]
  const watched = WAITING.includes(order.status)
    ? { url: `${token}/status`, updated_at: order.updated_at }
    : undefined
  return framed(
    { title: `${title} · ${store_name}`, language, watched },
    html`<header><p class="store">${store_name}</p>
${!livemode && html`<p class="test">${textIn(language, TEXTS.test)}</p>`}
<h1>${title}</h1>
<p class="date">${fillIn(textIn(language, TEXTS.date), { day })}</p>
<p class="status" role="status">${statusText && textIn(language, statusText)}</p></header>
${order.hold !== null && html`<p>${textIn(language, TEXTS.hold)}</p>`}
${PAYABLE.includes(order.status) && paymentHtml(page, token, language)}
${page.saving && savingHtml(page, page.saving, { token, language })}
${goodsHtml(page, token, language)}
${parcelsHtml(page, language)}
${receiptHtml(order, language)}
${support_email !== null && questionsHtml(support_email, language)}`,
  )
}

function questionsHtml(email: string, language: Language): Html {
  const [before, after] = textIn(language, TEXTS.questions).split('{email}')
  return html`<footer><p>${before}<a href="mailto:${email}">${email}</a>${after}</p></footer>`
}

/** Returns the page for an address that opens no order. */
export function notFoundHtml(language: Language): string {
  const title = textIn(language, TEXTS.notFound)
  const help = textIn(language, TEXTS.notFoundHelp)
  return framed({ title, language }, html`<h1>${title}</h1><p>${help}</p>`)
}

function paymentHtml(
  { order, open_payment, can_pay, time_zone }: OrderPage,
  token: string,
  language: Language,
): Html {
  if (open_payment?.status === 'processing')
    return html`<p>${textIn(language, TEXTS.processing)}</p>`
  const url = open_payment?.checkout_url ?? null
  const { expires_at } = order
  const amount = formatMoney(owedOf(order), order.currency, language)
  const time = expires_at === null ? '' : formatTime(expires_at, time_zone, language)
  const label = fillIn(textIn(language, TEXTS.pay), { amount })
  const button = url
    ? html`<p><a class="button" href="${url}">${label}</a></p>`
    : can_pay &&
      html`<form method="post" action="${token}/pay"><button class="button">${label}</button></form>`
  return html`${button}
${expires_at !== null && html`<p>${fillIn(textIn(language, TEXTS.expires), { time })}</p>`}`
}

/** Offers to save a payment method for the renewals of a subscription that began free, or says that it is saved. */
function savingHtml(
  { order, open_payment, time_zone }: OrderPage,
  { renewal: { due_at, amount_cents }, state }: NonNullable<OrderPage['saving']>,
  { token, language }: { token: string; language: Language },
): Html | false {
  if (state === 'saved') return html`<p role="status">${textIn(language, TEXTS.saved)}</p>`
  if (state === 'saved elsewhere') return false
  const label = textIn(language, TEXTS.save)
  const day = formatDay(due_at, time_zone, language)
  const amount = formatMoney(amount_cents, order.currency, language)
  const url = open_payment?.checkout_url ?? null
  const button = url
    ? html`<p><a class="button" href="${url}">${label}</a></p>`
    : html`<form method="post" action="${token}/pay"><button class="button">${label}</button></form>`
  return html`<p>${fillIn(textIn(language, TEXTS.saveHelp), { day, amount })}</p>${button}`
}

function parcelsHtml({ order, parcels }: OrderPage, language: Language): Html | false {
  const shownParcels = parcels.filter(({ status }) => status in PARCEL_TEXTS)
  if (shownParcels.length === 0) return false
  const items = shownParcels.map(({ status, items: units, tracking_number, tracking_url }) => {
    const names = units.map(({ order_item_id, quantity }) => {
      const line = order.items.find(({ id }) => id === order_item_id)
      return `${quantity} × ${line?.name ?? ''}`
    })
    const statusText = PARCEL_TEXTS[status]
    return html`<li><h3>${names.join(', ')}</h3><p>${statusText && textIn(language, statusText)}
${tracking_number !== null && html`<br>${fillIn(textIn(language, TEXTS.trackingNumber), { number: tracking_number })}`}
${tracking_url !== null && html`<br><a href="${tracking_url}">${textIn(language, TEXTS.track)}</a>`}</p></li>`
  })
  return html`<section><h2>${textIn(language, TEXTS.parcels)}</h2><ul>${items}</ul></section>`
}
