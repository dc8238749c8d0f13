import { type StoreContext, useRead } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { recordNames } from '../text/record-names.ts'
import { Link } from './link.tsx'

interface RecordKind {
  /** The path of its pages. */
  page: string
  /** The area whose changes refresh the name. */
  area: string
  readName?: (store: StoreContext, id: string) => PromiseLike<string>
}

/** The kinds of records with a page, by the object of an audit event. */
const KINDS: Readonly<Record<string, RecordKind>> = {
  order: {
    page: 'orders',
    area: 'orders',
    readName: async ({ api }, id) =>
      fill(recordNames.order, { number: (await api.orders.get(id)).order.number }),
  },
  product: {
    page: 'products',
    area: 'products',
    readName: async ({ api }, id) => (await api.products.get(id)).product.name,
  },
  customer: {
    page: 'customers',
    area: 'customers',
    readName: async ({ api }, id) => (await api.customers.get(id as never)).customer.email,
  },
  coupon: {
    page: 'coupons',
    area: 'coupons',
    readName: async ({ api }, id) => (await api.coupons.get(id as never)).coupon.code,
  },
  subscription: {
    page: 'subscriptions',
    area: 'subscriptions',
    async readName({ api }, id) {
      const { subscription } = await api.subscriptions.get(id as never)
      return fill(recordNames.subscription, { email: subscription.customer_email })
    },
  },
  ticket: {
    page: 'tickets',
    area: 'tickets',
    readName: async ({ api }, id) => (await api.tickets.get(id as never)).ticket.subject,
  },
  webhook_endpoint: {
    page: 'webhooks',
    area: 'webhooks',
    readName: async ({ api }, id) => (await api.webhooks.get(id as never)).webhook.url,
  },
  api_key: { page: 'api-keys', area: 'api_keys' },
  license_key: {
    page: 'license-keys',
    area: 'licenseKeys',
    readName: async ({ security }, id) => {
      const { key } = await security.licenseKeys.get(id as never)
      return fill(recordNames.licenseKey, { end: key.key_preview })
    },
  },
  app: {
    page: 'apps',
    area: 'apps',
    readName: async ({ security }, id) => (await security.apps.get(id as never)).app.name,
  },
  remote_setting: { page: 'remote-settings', area: 'remoteSettings' },
}

/** The path of a record; undefined if its kind has no page. */
export const recordPath = (object: string, id: string): string | undefined =>
  Object.hasOwn(KINDS, object) ? `/${KINDS[object]?.page}/${id}` : undefined

/** The name of a record, with a link to its page. Until the name is read, and for a deleted record, it is the id. */
export function RecordLink({ object, id }: { object: string; id: string | number }) {
  const kind = Object.hasOwn(KINDS, object) ? KINDS[object] : undefined
  const { data } = useRead(
    [kind?.area ?? object, 'name', object, String(id)],
    // The role may lack the permission, or the record may be deleted. The id is then its name.
    async (store) => {
      const name = kind?.readName?.(store, String(id))
      return name === undefined ? null : await Promise.resolve(name).catch(() => null)
    },
    { enabled: kind?.readName !== undefined },
  )
  const path = recordPath(object, String(id))
  const text = data ?? String(id)
  return path === undefined ? text : <Link to={path}>{text}</Link>
}
