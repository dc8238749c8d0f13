import { useDeferredValue, useId, useState } from 'react'
import type { Request } from '../api/action.ts'
import { type ListedProduct, type ProductsListQuery, useRead } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { picking } from '../text/picking.ts'
import { Modal } from './action.tsx'
import { useSendAndRefresh } from './send.ts'
import { State } from './show.tsx'
import { Failure, Loaded } from './states.tsx'

const SHOWN = 25

/** Products whose name, slug or SKU has the text, and their variants. */
export function useProducts(search: string, query: ProductsListQuery = {}) {
  const text = useDeferredValue(search.trim())
  return useRead<ListedProduct[]>(
    ['products', 'picked', text, query],
    async ({ api }) => {
      const include = ['variants'] as const
      const found = { ...query, limit: SHOWN, include: [...include], sort: 'name' as const }
      return (await api.products.list({ ...found, ...(text !== '' && { search: text }) })).products
    },
    { keepPrevious: true },
  )
}

interface AddProductsProps {
  label: string
  /** The consequence of adding one. */
  lead?: string
  /** True if the product is in the list already. */
  isChosen: (product: ListedProduct) => boolean
  request: (product: ListedProduct) => Request
}

/** A button that opens a search for products; each that is found has a button that adds it. */
export function AddProducts({ label, lead, isChosen, request }: AddProductsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      <Modal title={label} isOpen={isOpen} onClose={() => setOpen(false)}>
        {lead && <p className="lead">{lead}</p>}
        <Choice isChosen={isChosen} request={request} />
      </Modal>
    </>
  )
}

function Choice({ isChosen, request }: Omit<AddProductsProps, 'label' | 'lead'>) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [added, setAdded] = useState<readonly string[]>([])
  const read = useProducts(search)
  const send = useSendAndRefresh()
  const isIn = (product: ListedProduct) => isChosen(product) || added.includes(product.id)
  const add = (product: ListedProduct) =>
    send.mutate(request(product), { onSuccess: () => setAdded([...added, product.id]) })
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
                    aria-disabled={isIn(product) || send.isPending}
                    aria-label={fill(isIn(product) ? picking.addedNamed : picking.addNamed, {
                      name: product.name,
                    })}
                    onClick={() => !isIn(product) && !send.isPending && add(product)}
                  >
                    {isIn(product) ? picking.isIn : picking.add}
                  </button>
                </li>
              ))}
            </ul>
            {products.length === SHOWN && <p className="quiet">{picking.more}</p>}
          </>
        )}
      </Loaded>
      <p className="unseen" role="status">
        {added.length > 0 && common.changed}
      </p>
    </div>
  )
}
