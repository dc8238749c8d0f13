import { useDeferredValue, useId, useState } from 'react'
import type { Request } from '../api/action.ts'
import { type ListedProduct, type ProductsListQuery, useRead } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { picking } from '../text/picking.ts'
import { ApiCall } from './form.tsx'
import { Modal } from './modal.tsx'
import { useSendAndRefresh } from './send.ts'
import { State } from './show.tsx'
import { Failure, Loaded } from './states.tsx'

const SHOWN_MAX = 25

/** Products with their variants. The search text matches the name, slug or SKU. */
export function useProducts(search: string, query: ProductsListQuery = {}) {
  const text = useDeferredValue(search.trim())
  return useRead<ListedProduct[]>(
    ['products', 'picked', text, query],
    async ({ api }) => {
      const include = ['variants'] as const
      const listQuery = { ...query, limit: SHOWN_MAX, include: [...include], sort: 'name' as const }
      return (await api.products.list({ ...listQuery, ...(text !== '' && { search: text }) }))
        .products
    },
    { keepPrevious: true },
  )
}

interface AddProductsProps {
  label: string
  /** The consequence of adding a product. */
  lead?: string
  /** True if the list already has the product. */
  isChosen: (product: ListedProduct) => boolean
  request: (product: ListedProduct) => Request
}

/**
 * A button that opens a search for products. Each product that is found has a button that adds it.
 */
export function AddProducts({ label, lead, isChosen, request }: AddProductsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </button>
      <Modal title={label} isOpen={isOpen} onClose={() => setOpen(false)}>
        {lead && <p className="lead">{lead}</p>}
        <ProductSearch isChosen={isChosen} request={request} />
      </Modal>
    </>
  )
}

function ProductSearch({ isChosen, request }: Omit<AddProductsProps, 'label' | 'lead'>) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [addedIds, setAddedIds] = useState<readonly string[]>([])
  const read = useProducts(search)
  const send = useSendAndRefresh()
  const isInList = (product: ListedProduct) => isChosen(product) || addedIds.includes(product.id)
  /** The call of the first product that can be added, as a sample until one was added. */
  const requestForFirst = (products: readonly ListedProduct[]): Request => {
    const product = products.find((item) => !isInList(item))
    if (!product) throw new Error('The list already has every product.')
    return request(product)
  }
  const add = (product: ListedProduct) =>
    send.mutate(request(product), { onSuccess: () => setAddedIds([...addedIds, product.id]) })
  return (
    <div className="form">
      {send.error && <Failure error={send.error} />}
      <div className="field">
        <label htmlFor={id}>{picking.search}</label>
        <input
          id={id}
          type="search"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      <Loaded read={read} rows={3}>
        {(products) => (
          <>
            {products.length === 0 && <p>{picking.nothing}</p>}
            <ul className="picker">
              {products.map((product) => (
                <li key={product.id}>
                  <span>
                    {product.name} <State state={product.status} />
                  </span>
                  <button
                    type="button"
                    aria-disabled={isInList(product) || send.isPending}
                    aria-label={fill(isInList(product) ? picking.addedNamed : picking.addNamed, {
                      name: product.name,
                    })}
                    onClick={() => !isInList(product) && !send.isPending && add(product)}
                  >
                    {isInList(product) ? picking.isIn : picking.add}
                  </button>
                </li>
              ))}
            </ul>
            {products.length === SHOWN_MAX && <p className="secondary-text">{picking.more}</p>}
            <ApiCall make={() => send.variables ?? requestForFirst(products)} />
          </>
        )}
      </Loaded>
      <p className="visually-hidden" role="status">
        {addedIds.length > 0 && common.saved}
      </p>
    </div>
  )
}
