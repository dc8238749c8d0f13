import { storeRequest } from '../../api/action.ts'
import type { ProductMethod } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { humanize } from '../../kit/format.ts'
import { Table } from '../../kit/list.tsx'
import { Section, State } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { productTabs } from '../../text/product-tabs.ts'
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
            rowActions: (method: ProductMethod) => <Switch product={product.id} of={method} />,
          })}
        />
      </Section>
    )}
  </ProductTab>
)

function Switch({ product, of: { method, enabled } }: { product: string; of: ProductMethod }) {
  const name = humanize(method)
  return (
    <Action
      label={enabled ? productTabs.refuse : productTabs.accept}
      title={fill(enabled ? productTabs.refuseNamed : productTabs.acceptNamed, { name })}
      isDanger={enabled}
      lead={<p>{fill(enabled ? productTabs.refuseLead : productTabs.acceptLead, { name })}</p>}
      submit={fill(enabled ? productTabs.refuseNamed : productTabs.acceptNamed, { name })}
      request={() => ({
        ...storeRequest('paymentMethods', 'set', product, {
          methods: [{ method, enabled: !enabled }],
        }),
        area: 'products',
      })}
    />
  )
}
