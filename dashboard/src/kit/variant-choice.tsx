import { useId, useState } from 'react'
import type { ListedProduct, ProductsListQuery, Variant } from '../api/store.ts'
import { picking } from '../text/picking.ts'
import { useProducts } from './product-picker.tsx'
import { Failure } from './states.tsx'

export interface ChosenVariant {
  product: ListedProduct
  variant: Variant
}

interface VariantChoiceProps {
  query?: ProductsListQuery
  isOffered?: (variant: Variant) => boolean
  onChoose: (chosen: ChosenVariant | undefined) => void
}

/** A product search, and a select box for one of its variants. */
export function VariantChoice({ query, isOffered = () => true, onChoose }: VariantChoiceProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [value, setValue] = useState('')
  const { data = [], error, refetch } = useProducts(search, query)
  const all = data.flatMap((product) =>
    (product.variants ?? []).filter(isOffered).map((variant) => ({ product, variant })),
  )
  const choose = (chosen: string) => {
    setValue(chosen)
    onChoose(all.find(({ variant }) => String(variant.id) === chosen))
  }
  return (
    <>
      {error && <Failure error={error} retry={() => refetch()} />}
      <div className="field">
        <label htmlFor={`${id}-search`}>{picking.search}</label>
        <input
          id={`${id}-search`}
          type="search"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-variant`}>{picking.product}</label>
        <select id={`${id}-variant`} value={value} onChange={({ target }) => choose(target.value)}>
          <option value="" />
          {all.map(({ product, variant }) => (
            <option key={variant.id} value={variant.id}>
              {(product.variants?.length ?? 0) > 1
                ? `${product.name} · ${variant.name}`
                : product.name}
            </option>
          ))}
        </select>
        {all.length === 0 && <p className="help">{picking.nothing}</p>}
      </div>
    </>
  )
}
