import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { foldedColumn } from '../../../kernel/fold.ts'
import { isSameJson } from '../../../kernel/same-json.ts'
import type { StoreContext } from '../../../store-context.ts'
import { watchStock } from '../stock/index.ts'
import { cleanDetails } from './clean-html.ts'
import { refuseProductDuplicates, setCategories } from './create-product.ts'
import { changedMethods, checkCurrency, checkProduct } from './products.rules.ts'
import * as q from './queries/index.ts'
import type { ProductPatch, ProductSections } from './schema.ts'
import { readProduct } from './show-product.ts'

/** The fields by which the tally counts products (decision 100). */
const FACETS = ['status', 'visibility', 'active', 'type', 'product_kind'] as const

/**
 * Changes a product. Absent fields keep their values; null clears a nullable field. `detailsPath` is
 * the path of the details for errors; it is empty if the call concerns only a section, such as the details.
 */
export async function updateProduct(
  context: StoreContext,
  ref: string,
  patch: ProductPatch,
  detailsPath = 'details.',
): Promise<ProductSections> {
  const { store, now } = context
  const { category_ids, details, seo, methods, currency, ...fields } = patch

  const content = { ...(await cleanDetails(details ?? {}, detailsPath)), ...seo }

  return refuseProductDuplicates(() =>
    inTransaction(context.db, async (tx) => {
      const before = requireRecord(await q.lockProduct(tx, store.id, ref), 'Product')
      checkProduct({ ...before, ...fields })
      checkCurrency(currency, store.currency)

      // Categories are locked before the list counters of the product, as by `deleteProduct`.
      const categories = await changeCategories(tx, store.id, before.id, category_ids)

      const changedSettings = methods && changedMethods(store, before.methods, methods)
      const columns = { ...fields, ...(changedSettings && { methods: changedSettings }) }
      const hasContent = Object.keys(content).length > 0
      const formerContent = hasContent ? await q.selectContent(tx, store.id, before.id) : {}
      context.audit.reportChange(
        { ...before, currency: store.currency, category_ids: categories.formerIds },
        { ...columns, currency, category_ids: categories.ids },
      )
      reportTexts(context, formerContent, { content, patch, isSection: detailsPath === '' })
      const change = {
        ...columns,
        updated_at: now,
        ...foldedFields(before, fields),
        isChangedElsewhere:
          !isSameJson(categories.formerIds, categories.ids) ||
          !isSameJson({ ...formerContent, ...content }, formerContent),
      }
      const update = () => q.updateProduct(tx, store.id, before.id, change)
      if (FACETS.some((name) => (fields[name] ?? before[name]) !== before[name])) {
        await watchStock(tx, context, before.id, update)
        await q.moveInTally(tx, store.id, before)
      } else await update()
      const { price_cents } = fields
      if (price_cents !== undefined) {
        await q.updateDefaultPrice(tx, store.id, before.id, { price_cents, updated_at: now })
      }
      if (hasContent) await q.updateContent(tx, store.id, before.id, content)
      return readProduct(context, tx, before.id)
    }),
  )
}

/** Returns the texts in which the product is searched, if one of them changes. */
function foldedFields(before: SearchedTexts, patch: Partial<SearchedTexts>) {
  const { name, slug, sku } = { ...before, ...patch }
  const isChanged = name !== before.name || slug !== before.slug || sku !== before.sku
  return isChanged ? { folded: foldedColumn(name, slug, sku) } : {}
}

interface SearchedTexts {
  name: string
  slug: string
  sku: string | null
}

/** Lists a product in these categories. Returns their ids and those of its former categories, both sorted. */
async function changeCategories(
  tx: Tx,
  storeId: number,
  productId: number,
  ids: readonly number[] | undefined,
): Promise<{ formerIds?: number[]; ids?: number[] }> {
  if (!ids) return {}
  const formerIds = await setCategories(tx, storeId, productId, ids)
  return { formerIds, ids: [...new Set(ids)].sort((a, b) => a - b) }
}

/**
 * Reports the changed texts of a product's page: as fields of the sections that the call sent, or as fields
 * of the call if it concerns one section.
 */
function reportTexts(
  { audit }: StoreContext,
  formerContent: q.ProductContent,
  {
    content,
    patch,
    isSection,
  }: {
    content: q.ProductContent
    patch: Pick<ProductPatch, 'details' | 'seo'>
    isSection: boolean
  },
): void {
  for (const section of ['details', 'seo'] as const) {
    const names = Object.keys(patch[section] ?? {}) as (keyof q.ProductContent)[]
    const textsOf = (texts: q.ProductContent) =>
      Object.fromEntries(names.map((name) => [name, texts[name]]))
    const [before, after] = [textsOf(formerContent), textsOf(content)]
    if (isSection) audit.reportChange(before, after)
    else if (patch[section]) audit.reportChange({ [section]: before }, { [section]: after })
  }
}
