import { useRead, useStore } from '../../api/store.ts'
import { Link } from '../../kit/link.tsx'
import { Section, State } from '../../kit/show.tsx'
import { home } from '../../text/home.ts'

/** The steps that a new store still needs; nothing once all are done. */
export function SetupList() {
  const { me } = useStore()
  const { data } = useRead(['setup'], async ({ api }) => {
    const [products, orders, webhooks] = await Promise.all([
      api.products.list({ limit: 1 }),
      api.orders.list({ limit: 1 }),
      api.webhooks.list(),
    ])
    return {
      products: products.pagination.total > 0,
      orders: orders.pagination.total > 0,
      webhooks: webhooks.webhooks.length > 0,
    }
  })
  if (!data) return null
  const steps = [
    { text: home.stepProduct, to: '/products', isDone: data.products },
    { text: home.stepOrder, to: '/orders', isDone: data.orders },
    { text: home.stepWebhook, to: '/webhooks', isDone: data.webhooks },
    { text: home.stepPassword, to: '/settings/account', isDone: me.user.has_password },
  ]
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Section title={home.setup}>
      <ul className="timeline">
        {steps.map(({ text, to, isDone }) => (
          <li key={text}>
            <span>
              <State state={isDone ? 'completed' : 'pending'}>
                {isDone ? home.done : home.todo}
              </State>
            </span>
            <Link to={to}>{text}</Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
