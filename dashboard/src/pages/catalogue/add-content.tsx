import { useId, useState } from 'react'
import type { BundleItem, Product, Variant } from '../../api/store.ts'
import { Form } from '../../kit/form.tsx'
import { Modal } from '../../kit/modal.tsx'
import { useProducts } from '../../kit/product-picker.tsx'
import { Failure } from '../../kit/states.tsx'
import { bundles } from '../../text/bundles.ts'
import { picking } from '../../text/picking.ts'
import { changeItemsRequest, withQuantity } from './bundle-items.ts'

interface AddContentProps {
  product: Product
  items: readonly BundleItem[]
}

/** A button that opens a search for the variant of another product, and adds units of it. */
export function AddContent({ product, items }: AddContentProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button
        type="button"
        className="primary"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {bundles.add}
      </button>
      <Modal title={bundles.add} isOpen={isOpen} onClose={close}>
        <AddForm product={product} items={items} close={close} />
      </Modal>
    </>
  )
}

function AddForm({ product, items, close }: AddContentProps & { close: () => void }) {
  const id = useId()
  const [search, setSearch] = useState('')
  const { data = [], error, isFetching } = useProducts(search, { product_kind: ['single'] })
  const isContained = (variant: Variant) =>
    items.some(({ variant_id }) => variant_id === variant.id)
  const options = data.flatMap(({ name, variants = [] }) =>
    variants
      .filter((variant) => !isContained(variant))
      .map((variant) => ({ value: String(variant.id), label: `${name} · ${variant.name}` })),
  )
  return (
    <>
      <div className="form">
        {error && <Failure error={error} />}
        <div className="field">
          <label htmlFor={id}>{bundles.search}</label>
          <input
            id={id}
            type="search"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
          <p className="help" role="status">
            {!isFetching && options.length === 0 ? picking.nothing : ''}
          </p>
        </div>
      </div>
      <Form
        fields={[
          {
            name: 'variant_id',
            label: bundles.pick,
            type: 'select',
            required: true,
            options,
            help: bundles.pickHelp,
          },
          {
            name: 'quantity',
            label: bundles.quantity,
            type: 'number',
            required: true,
            value: 1,
            help: bundles.quantityHelp,
          },
        ]}
        submit={bundles.add}
        request={({ variant_id, quantity }) =>
          changeItemsRequest(product.id, items, (current) =>
            withQuantity(current, { variant_id: Number(variant_id), quantity: quantity as number }),
          )
        }
        onDone={close}
        onCancel={close}
      />
    </>
  )
}
