import { storeRequest } from '../../api/action.ts'
import type { ProductMethod, StoreContext } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { Consequence } from '../../kit/consequence.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Table } from '../../kit/list.tsx'
import { Section, State } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { OPEN_STATUSES } from '../sell/open-orders.ts'
import { ProductTab } from './product-frame.tsx'

export const Page = () => (
  <ProductTab>
    {({ sections: { product, methods }, isAllowed }) => (
      <Section title={productTabs.methods}>
        <p>{productTabs.methodsLead}</p>
        <Table
          label={productTabs.methods}
          rows={methods}
          keyOf={({ method }) => method}
          columns={[
            { label: productTabs.method, show: ({ method }) => humanize(method) },
            {
              label: productTabs.accepted,
              show: ({ enabled }) => (
                <State state={enabled ? 'on' : 'closed'}>
                  {enabled ? productTabs.accepted : productTabs.notAccepted}
                </State>
              ),
            },
          ]}
          {...(isAllowed && {
            rowActions: (method: ProductMethod) => (
              <Switch productId={product.id} methods={methods} method={method} />
            ),
          })}
        />
      </Section>
    )}
  </ProductTab>
)

/** Counts the orders of a product that have chosen the method and can still be paid. */
async function countOpenOrders(
  { api }: StoreContext,
  productId: string,
  method: ProductMethod['method'],
) {
  const query = { product_id: productId, payment_method: [method], status: [...OPEN_STATUSES] }
  return (await api.orders.list({ ...query, limit: 1 })).pagination.total
}

interface SwitchProps {
  productId: string
  methods: readonly ProductMethod[]
  method: ProductMethod
}

function Switch({ productId, methods, method: { method, enabled } }: SwitchProps) {
  const name = humanize(method)
  const otherCount = methods.filter((item) => item.enabled && item.method !== method).length
  return (
    <Action
      label={enabled ? productTabs.refuse : productTabs.accept}
      title={fill(enabled ? productTabs.refuseNamed : productTabs.acceptNamed, { name })}
      isDanger={enabled}
      lead={
        <>
          <p>{fill(enabled ? productTabs.refuseLead : productTabs.acceptLead, { name })}</p>
          {enabled && (
            <Consequence
              queryKey={['orders', productId, method]}
              read={(store) => countOpenOrders(store, productId, method)}
            >
              {(openOrders) =>
                fill(productTabs.refuseKeeps, {
                  open: formatNumber(openOrders),
                  others: formatNumber(otherCount),
                })
              }
            </Consequence>
          )}
        </>
      }
      submit={fill(enabled ? productTabs.refuseNamed : productTabs.acceptNamed, { name })}
      request={() => ({
        ...storeRequest('paymentMethods', 'set', productId, {
          methods: [{ method, enabled: !enabled }],
        }),
        area: 'products',
      })}
    />
  )
}
