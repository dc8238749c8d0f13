import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import type { StockKey, StockKeyPatch, StockListKeysQuery } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { Link } from '../../kit/link.tsx'
import { List } from '../../kit/list.tsx'
import { humanizedOptions } from '../../kit/options.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { products } from '../../text/products.ts'
import { stock } from '../../text/stock.ts'
import { KeyBatches } from './key-batches.tsx'
import { KeyImport } from './key-import.tsx'
import { VariantStock } from './variant-stock.tsx'

const STATUSES = ['available', 'reserved', 'sold', 'burned', 'revoked'] as const

export function Page() {
  const params = useParams({ strict: false }) as { id?: string; variant?: string }
  const { id: productId = '' } = params
  const variantId = Number(params.variant)
  const isAllowed = useMayWrite('products')
  const read = useRead(['products', productId, 'variant', variantId], async ({ api }) => {
    const { product, variants } = await api.products.get(productId)
    // Without the variant there is nothing to add keys to: this call says that it is missing.
    if (!variants.some(({ id }) => id === variantId)) await api.stock.get(productId, variantId)
    return product
  })
  return (
    <Loaded read={read}>
      {({ name }) => <Keys {...{ productId, variantId, name, isAllowed }} />}
    </Loaded>
  )
}

interface KeysProps {
  productId: string
  variantId: number
  /** The name of the product. */
  name: string
  isAllowed: boolean
}

function Keys({ productId, variantId, name, isAllowed }: KeysProps) {
  return (
    <Frame
      title={fill(products.keysOf, { name })}
      parent={{ to: `/products/${productId}`, label: name }}
    >
      <VariantStock {...{ productId, variantId }} isAllowed={isAllowed} />
      {isAllowed ? <KeyImport {...{ productId, variantId }} /> : <NotAllowed area="stock" />}
      <KeyBatches {...{ productId, variantId }} />
      <List<StockKey>
        queryKey={['products', productId, 'keys', String(variantId)]}
        label={products.keys}
        keyOf={(key) => key.id}
        columns={[
          { label: products.value, show: ({ value }) => <code>{value}</code> },
          { label: common.status, show: ({ status }) => <State state={status} /> },
          {
            label: products.order,
            show: ({ order_id }) =>
              order_id === null ? '–' : <Link to={`/orders/${order_id}`}>{order_id}</Link>,
          },
          { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
        ]}
        filters={[
          {
            name: 'status',
            label: common.status,
            options: humanizedOptions(STATUSES),
          },
          ...(isAllowed
            ? [
                {
                  name: 'reveal',
                  label: products.reveal,
                  options: [{ value: 'true', label: common.yes }],
                },
              ]
            : []),
        ]}
        empty={products.noKeys}
        read={async ({ api }, query) => {
          const listQuery = query as unknown as StockListKeysQuery
          const page = await api.stock.listKeys(productId, variantId, listQuery)
          return { rows: page.keys, ...page.pagination }
        }}
        {...(isAllowed && {
          rowActions: (key) => <KeyActions {...{ productId, variantId }} stockKey={key} />,
        })}
      />
    </Frame>
  )
}

interface KeyActionsProps {
  productId: string
  variantId: number
  stockKey: StockKey
}

/** Withholds a key, releases it, or burns it. A sold key cannot be changed. */
function KeyActions({ productId, variantId, stockKey: { id, status } }: KeyActionsProps) {
  if (status !== 'available' && status !== 'reserved') return null
  const statusRequest = (next: NonNullable<StockKeyPatch['status']>) => ({
    ...storeRequest('stock', 'updateKey', productId, variantId, id, { status: next }),
    area: 'products',
  })
  const isWithheld = status === 'reserved'
  return (
    <>
      <Action
        label={isWithheld ? stock.release : stock.hold}
        submit={isWithheld ? stock.release : stock.hold}
        request={() => statusRequest(isWithheld ? 'available' : 'reserved')}
      />{' '}
      <Action
        label={products.burn}
        isDanger
        lead={<p>{products.burnLead}</p>}
        submit={products.burn}
        request={() => statusRequest('burned')}
      />
    </>
  )
}
