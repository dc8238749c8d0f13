import { mayWrite, useRead, useStore } from '../../api/store.ts'
import { Link } from '../../kit/link.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { Section, State } from '../../kit/show.tsx'
import { Failure, Skeleton } from '../../kit/states.tsx'
import { setupList } from '../../text/setup-list.ts'

/** The setup steps of a new store. Nothing is shown when all steps are done. */
export function SetupList() {
  const store = useStore()
  const { me } = store
  const { data, error, isLoading, refetch } = useRead(['setup'], async ({ api }) => {
    const [products, inStock, orders, webhooks] = await Promise.all([
      api.products.list({ limit: 1 }),
      api.products.list({ limit: 1, in_stock: true }),
      api.orders.list({ limit: 1 }),
      api.webhooks.list(),
    ])
    return {
      hasProducts: products.pagination.total > 0,
      hasStock: inStock.pagination.total > 0,
      hasOrders: orders.pagination.total > 0,
      hasWebhooks: webhooks.webhooks.length > 0,
    }
  })
  const failure = error && <Failure error={error} retry={() => refetch()} />
  if (isLoading) return <Skeleton rows={0} />
  if (!data) return failure && <Section title={setupList.title}>{failure}</Section>
  const steps = [
    {
      text: setupList.product,
      to: `/products#${NEW_HASH}`,
      isDone: data.hasProducts,
      area: 'products',
    },
    { text: setupList.stock, to: '/stock/pools', isDone: data.hasStock, area: 'products' },
    { text: setupList.order, to: `/orders#${NEW_HASH}`, isDone: data.hasOrders, area: 'orders' },
    { text: setupList.webhook, to: '/webhooks', isDone: data.hasWebhooks, area: 'webhooks' },
    { text: setupList.password, to: '/settings/account', isDone: me.user.has_password },
    // Nobody is offered a step that the role may not take.
  ].filter(({ area }) => area === undefined || mayWrite(store, area))
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Section title={setupList.title}>
      {failure}
      <ul className="timeline steps">
        {steps.map(({ text, to, isDone }) => (
          <li key={text}>
            <span>
              <State state={isDone ? 'completed' : 'pending'}>
                {isDone ? setupList.done : setupList.todo}
              </State>
            </span>
            <Link to={to}>{text}</Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
