import { type OrderPage, shownDeliveries, showsGoods } from '../../features/store/index.ts'
import type { Language } from '../../kernel/language.ts'
import { type Html, html } from '../../reference/index.ts'
import { fillIn, TEXTS, textIn } from './texts.ts'

/** Returns the delivered keys, texts and files of an order. */
export function goodsHtml({ order }: OrderPage, token: string, language: Language): Html | false {
  if (!showsGoods(order)) return false
  const deliveries = shownDeliveries(order)
  if (deliveries.length === 0) {
    const waits = order.items.some(
      (line) => line.delivery_type !== 'physical' && line.quantity > line.cancelled_quantity,
    )
    return waits && html`<p>${textIn(language, TEXTS.waiting)}</p>`
  }
  const parts = deliveries.map(({ order_item_id, keys, keys_count, text, files }) => {
    const line = order.items.find(({ id }) => id === order_item_id)
    const hiddenCount = keys_count - keys.length
    return html`<li><h3>${line && lineName(line)}</h3>
${keys.map((key) => copyable(key, language))}
${hiddenCount > 0 && html`<p>${fillIn(textIn(language, TEXTS.moreKeys), { count: hiddenCount })}</p>`}
${text !== null && html`<pre>${text}</pre>`}
${files.map(({ id, name, size_bytes }) => {
  const label = fillIn(textIn(language, TEXTS.download), {
    name,
    size: sizeText(size_bytes, language),
  })
  return html`<p><a class="file" href="${token}/files/${id}">${label}</a></p>`
})}</li>`
  })
  return html`<section><h2>${textIn(language, TEXTS.goods)}</h2><ul>${parts}</ul><p>${textIn(language, TEXTS.keep)}</p></section>`
}

/** The script shows the button, because the button needs it. */
const copyable = (key: string, language: Language): Html =>
  html`<div class="key"><code>${key}</code><button type="button" hidden data-copied="${textIn(language, TEXTS.copied)}">${textIn(language, TEXTS.copy)}</button></div>`

/** Returns the name of a line, with its variant if the product has more than one. */
export const lineName = ({ name, variant_name }: { name: string; variant_name: string }): string =>
  variant_name === 'Default' ? name : `${name} · ${variant_name}`

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

function sizeText(bytes: number, language: Language): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  })
  return format.format(bytes / 1_000 ** power)
}
