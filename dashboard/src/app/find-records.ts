import type { FoundStockKey } from '../api/dashboard.ts'
import type { ListedLicenseKey } from '../api/security.ts'
import type { Return, StoreContext } from '../api/store.ts'
import { eventName } from '../kit/event-name.ts'
import { humanize } from '../kit/format.ts'
import { navigation } from '../text/navigation.ts'
import { shell } from '../text/shell.ts'

/** A record that matches the text in the palette. */
interface FoundRecord {
  label: string
  detail: string
  to: string
}

/** The maximum number of results of each search. */
const RESULTS_MAX = 5
/** License keys are found by their full text only, and are longer than most search words. */
const KEY_LENGTH_MIN = 8

/** The results for a license key: the license, and the order that sold it. */
const licenseRecords = ({
  id,
  key_preview,
  status,
  invoice_id,
}: ListedLicenseKey): FoundRecord[] => [
  {
    label: `${shell.license} …${key_preview}`,
    detail: humanize(status),
    to: `/license-keys/${id}`,
  },
  ...(invoice_id === null
    ? []
    : [{ label: shell.orderOfLicense, detail: invoice_id, to: `/orders/${invoice_id}` }]),
]

/** The result for a stock key: the keys of its variant. The order of the key is found by the search for orders. */
const stockRecord = ({
  value,
  status,
  product_id,
  product_name,
  variant_id,
}: FoundStockKey): FoundRecord => ({
  label: `${shell.stockKey} ${value}`,
  detail: `${product_name} · ${humanize(status)}`,
  to: `/products/${product_id}/variants/${variant_id}/keys`,
})

const returnRecord = ({ id, rma, customer_email, status }: Return): FoundRecord => ({
  label: `${rma} · ${customer_email}`,
  detail: `${navigation.returns} · ${humanize(status)}`,
  to: `/returns/${id}`,
})

/** A search for one kind of record. It runs only for texts that match `pattern`. */
interface Search {
  pattern?: RegExp
  find: (store: StoreContext, text: string) => Promise<FoundRecord[]>
}

/** The searches, in the sequence in which their results are shown: the most specific first. */
const SEARCHES: readonly Search[] = [
  {
    pattern: new RegExp(`^.{${KEY_LENGTH_MIN},}$`),
    find: async ({ security }, key) =>
      (await security.licenseKeys.list({ key, limit: RESULTS_MAX })).keys.flatMap(licenseRecords),
  },
  {
    pattern: /^req_/,
    async find({ readDashboard }, id) {
      const { call } = await readDashboard<'request_log.get'>(`/request-log/${id}`)
      const detail = `${call.method} ${call.path} · ${call.status}`
      return [{ label: `${shell.request} ${id}`, detail, to: `/request-log/${id}` }]
    },
  },
  {
    pattern: /^evt_/,
    async find({ readDashboard }, id) {
      const { event } = await readDashboard<'webhooks.get_event'>(`/events/${id}`)
      return [{ label: eventName(event.type), detail: id, to: `/events/${id}` }]
    },
  },
  {
    pattern: /^\d{3,}$/,
    async find({ api }, id) {
      const { delivery } = await api.events.getDelivery(Number(id))
      const label = `${shell.webhookDelivery} ${id}`
      return [{ label, detail: eventName(delivery.event.type), to: `/events/deliveries/${id}` }]
    },
  },
  {
    pattern: /^rma-?\d+$/i,
    find: async ({ api }, rma) =>
      (await api.returns.list({ rma, limit: RESULTS_MAX })).returns.map(returnRecord),
  },
  {
    find: async ({ api }, search) =>
      (await api.orders.list({ search, limit: RESULTS_MAX })).orders.map((order) => ({
        label: `#${order.number} · ${order.customer.email}`,
        detail: humanize(order.status),
        to: `/orders/${order.id}`,
      })),
  },
  {
    async find({ readDashboard }, value) {
      const query = { value }
      const { keys } = await readDashboard<'stock.find_keys'>('/stock-keys', query)
      return keys.map(stockRecord)
    },
  },
  {
    find: async ({ api }, search) =>
      (await api.customers.list({ search, limit: RESULTS_MAX })).customers.map((customer) => ({
        label: customer.email,
        detail: customer.name ?? '',
        to: `/customers/${customer.id}`,
      })),
  },
  {
    find: async ({ api }, search) =>
      (await api.products.list({ search, limit: RESULTS_MAX })).products.map((product) => ({
        label: product.name,
        detail: product.id,
        to: `/products/${product.id}`,
      })),
  },
  {
    find: async ({ api }, code) =>
      (await api.coupons.list({ code, limit: RESULTS_MAX })).coupons.map((coupon) => ({
        label: coupon.code,
        detail: navigation.coupons,
        to: `/coupons/${coupon.id}`,
      })),
  },
  {
    pattern: /@/,
    find: async ({ api }, email) =>
      (await api.tickets.list({ email, limit: RESULTS_MAX })).tickets.map((ticket) => ({
        label: ticket.subject,
        detail: `${navigation.tickets} · ${humanize(ticket.status)}`,
        to: `/tickets/${ticket.id}`,
      })),
  },
  {
    pattern: /@/,
    find: async ({ api }, email) =>
      (
        await api.subscriptions.list({ customer_email: email, limit: RESULTS_MAX })
      ).subscriptions.map((subscription) => ({
        label: subscription.product.name,
        detail: `${navigation.subscriptions} · ${humanize(subscription.status)}`,
        to: `/subscriptions/${subscription.id}`,
      })),
  },
  {
    pattern: /@/,
    find: async ({ api }, email) =>
      (await api.returns.list({ email, limit: RESULTS_MAX })).returns.map(returnRecord),
  },
  {
    pattern: /@/,
    find: async ({ api }, search) =>
      (await api.affiliates.listPartners({ search, limit: RESULTS_MAX })).partners.map(
        (partner) => ({
          label: partner.name ?? partner.email,
          detail: `${navigation.affiliates} · ${humanize(partner.status)}`,
          to: `/affiliates/partners/${partner.id}`,
        }),
      ),
  },
  {
    async find({ readDashboard }, text) {
      const { api_keys } = await readDashboard<'api_keys.list'>('/api-keys')
      const lowerText = text.toLowerCase()
      return api_keys
        .filter(({ name, last4 }) => name.toLowerCase().includes(lowerText) || text.endsWith(last4))
        .slice(0, RESULTS_MAX)
        .map(({ id, name, last4 }) => ({
          label: `${name} …${last4}`,
          detail: navigation.apiKeys,
          to: `/api-keys/${id}`,
        }))
    },
  },
  {
    async find({ api }, text) {
      const { webhooks } = await api.webhooks.list({ limit: 100 })
      return webhooks
        .filter(({ id, url }) => id === text || url.includes(text))
        .slice(0, RESULTS_MAX)
        .map(({ id, url }) => ({ label: url, detail: navigation.webhooks, to: `/webhooks/${id}` }))
    },
  },
]

/**
 * Finds records by texts that a user would paste: a number, an address, a key or an id. A search that
 * is refused, for example because the role may not read its records, finds nothing.
 */
export async function findRecords(store: StoreContext, text: string): Promise<FoundRecord[]> {
  const searches = SEARCHES.filter(({ pattern }) => pattern?.test(text) ?? true)
  const results = await Promise.allSettled(searches.map(({ find }) => find(store, text)))
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}
