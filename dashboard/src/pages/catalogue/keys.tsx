import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import type { StockKey, StockKeyPatch, StockListKeysQuery } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { products } from '../../text/products.ts'
import { stock } from '../../text/stock.ts'
import { KeyImport } from './key-import.tsx'
import { VariantStock } from './variant-stock.tsx'

const STATUSES = ['available', 'reserved', 'sold', 'burned', 'revoked'] as const

export function Page() {
  const params = useParams({ strict: false }) as { id?: string; variant?: string }
  const { id = '' } = params
  const variant = Number(params.variant)
  const isAllowed = useMayWrite('products')
  const { data } = useRead(['products', id], ({ api }) => api.products.get(id))
  const name = data?.product.name ?? ''
  return (
    <Frame
      title={fill(products.keysOf, { name })}
      parent={{ to: `/products/${id}`, label: name || products.title }}
    >
      <VariantStock product={id} variant={variant} isAllowed={isAllowed} />
      {isAllowed && <KeyImport product={id} variant={variant} />}
      <List<StockKey>
        name={['products', id, 'keys', String(variant)]}
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
            options: STATUSES.map((value) => ({ value, label: humanize(value) })),
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
          const asked = query as unknown as StockListKeysQuery
          const page = await api.stock.listKeys(id, variant, asked)
          return { rows: page.keys, ...page.pagination }
        }}
        {...(isAllowed && {
          rowActions: (key) => <KeyActions product={id} variant={variant} of={key} />,
        })}
      />
    </Frame>
  )
}

interface KeyActionsProps {
  product: string
  variant: number
  of: StockKey
}

/** Holds a key back, releases it, or withdraws it. A sold key stays as it is. */
function KeyActions({ product, variant, of: { id, status } }: KeyActionsProps) {
  if (status !== 'available' && status !== 'reserved') return null
  const setStatus = (next: NonNullable<StockKeyPatch['status']>) => () => ({
    ...storeRequest('stock', 'updateKey', product, variant, id, { status: next }),
    area: 'products',
  })
  const isHeld = status === 'reserved'
  return (
    <>
      <Action
        label={isHeld ? stock.release : stock.hold}
        submit={isHeld ? stock.release : stock.hold}
        request={setStatus(isHeld ? 'available' : 'reserved')}
      />{' '}
      <Action
        label={products.burn}
        isDanger
        lead={<p>{products.burnLead}</p>}
        submit={products.burn}
        request={setStatus('burned')}
      />
    </>
  )
}
