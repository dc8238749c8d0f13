import type { Product, ProductSections, Variant } from '../../api/store.ts'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Section, State } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { preview } from '../../text/preview.ts'
import { highlightText, isSoldOut, obstacleOf, priceOf } from './preview.rules.ts'
import { SafeHtml } from './safe-html.tsx'

/** The product as a buyer sees it: picture, name, price, choices and texts. */
export function Preview({ sections, hasDraft }: { sections: ProductSections; hasDraft: boolean }) {
  const { product, details, media, variants } = sections
  const pictures = media.filter(({ kind }) => kind === 'image')
  const main = pictures.find(({ is_main }) => is_main) ?? pictures[0]
  const obstacle = obstacleOf(sections)
  const offeredVariants = variants.filter(({ active }) => active)
  const defaultVariant = offeredVariants.find(({ is_default }) => is_default) ?? offeredVariants[0]
  const { short_description, description_html } = details
  return (
    <Section title={preview.title}>
      <p className="secondary-text">{hasDraft ? preview.withDraft : preview.lead}</p>
      <div className="preview">
        {main && <img src={main.url} alt={altOf(main.meta)} loading="lazy" />}
        <h3>{product.name}</h3>
        {defaultVariant && <Price product={product} variant={defaultVariant} />}
        {obstacle && (
          <p>
            {preview.cannot} {preview[obstacle]}
          </p>
        )}
        {short_description && <p>{short_description}</p>}
        {offeredVariants.length > 1 && <Choices product={product} variants={offeredVariants} />}
        <Highlights highlights={details.highlights} />
        {description_html ? (
          <div className="html">
            <SafeHtml html={description_html} />
          </div>
        ) : (
          !short_description && <p className="secondary-text">{preview.noText}</p>
        )}
      </div>
    </Section>
  )
}

const altOf = (meta: Record<string, unknown>) => (typeof meta.alt === 'string' ? meta.alt : '')

function Price({ product, variant }: { product: Product; variant: Variant }) {
  const price = priceOf(product, variant)
  const before = price < variant.price_cents ? variant.price_cents : variant.compare_at_cents
  const text = (cents: number) => formatMoney(cents, product.currency)
  return (
    <p>
      <span className="price money">{text(price)}</span>{' '}
      {before !== null && before > price && (
        <span className="secondary-text">{fill(preview.before, { price: text(before) })}</span>
      )}
    </p>
  )
}

const Choices = ({ product, variants }: { product: Product; variants: readonly Variant[] }) => (
  <ul className="picker" aria-label={preview.choices}>
    {variants.map((variant) => (
      <li key={variant.id}>
        <span>
          {variant.name}{' '}
          {isSoldOut(variant) ? (
            <State state="out_of_stock">{preview.isSoldOut}</State>
          ) : (
            isLow(variant) && (
              <span className="secondary-text">
                {fill(preview.left, { n: formatNumber(variant.stock_quantity) })}
              </span>
            )
          )}
        </span>
        <span className="money">{formatMoney(priceOf(product, variant), product.currency)}</span>
      </li>
    ))}
  </ul>
)

const isLow = ({ low_stock_threshold, stock_mode, stock_quantity }: Variant) =>
  low_stock_threshold !== null &&
  stock_mode !== 'unlimited' &&
  stock_quantity <= low_stock_threshold

function Highlights({ highlights }: { highlights: Record<string, string> }) {
  const lines = Object.entries(highlights)
  if (lines.length === 0) return null
  return (
    <ul>
      {lines.map(([name, value]) => (
        <li key={name}>{highlightText([name, value])}</li>
      ))}
    </ul>
  )
}
