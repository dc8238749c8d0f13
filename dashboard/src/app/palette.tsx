import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useDeferredValue, useState } from 'react'
import type { FoundStockKey, OwnAnswer } from '../api/own.ts'
import type { ListedLicenseKey } from '../api/security.ts'
import { type StoreContext, useStore } from '../api/store.ts'
import { humanize } from '../kit/format.ts'
import { useGo } from '../kit/link.tsx'
import { shell } from '../text/shell.ts'
import { entriesFor } from './pages.ts'

interface Found {
  label: string
  detail: string
  to: string
}

const LETTERS_MIN = 2
/** A license key is found by its whole text, which is longer than most words. */
const KEY_LETTERS_MIN = 8

/** The license, and the order that it was sold with. */
const licenseEntries = ({ id, key_preview, status, invoice_id }: ListedLicenseKey): Found[] => [
  {
    label: `${shell.license} …${key_preview}`,
    detail: humanize(status),
    to: `/license-keys/${id}`,
  },
  ...(invoice_id === null
    ? []
    : [{ label: shell.orderOfLicense, detail: invoice_id, to: `/orders/${invoice_id}` }]),
]

/** The stock that has or had the key. The order that it was sold with is found by its search. */
const stockEntry = ({
  value,
  status,
  product_id,
  product_name,
  variant_id,
}: FoundStockKey): Found => ({
  label: `${shell.stockKey} ${value}`,
  detail: `${product_name} · ${humanize(status)}`,
  to: `/products/${product_id}/variants/${variant_id}/keys`,
})

/** Finds records by what a person would paste: a number, an address, a key, an id. */
async function find({ api, security, own }: StoreContext, text: string): Promise<Found[]> {
  const [orders, customers, products, licenses, stock] = await Promise.allSettled([
    api.orders.list({ search: text, limit: 5 }),
    api.customers.list({ search: text, limit: 5 }),
    api.products.list({ search: text, limit: 5 }),
    text.length < KEY_LETTERS_MIN ? undefined : security.licenseKeys.list({ key: text, limit: 5 }),
    own<OwnAnswer<'stock.find_keys'>>('GET', '/stock-keys', { query: { value: text } }),
  ])
  return [
    ...((licenses.status === 'fulfilled' && licenses.value?.keys) || []).flatMap(licenseEntries),
    ...(orders.status === 'fulfilled' ? orders.value.orders : []).map((order) => ({
      label: `#${order.number} · ${order.customer.email}`,
      detail: humanize(order.status),
      to: `/orders/${order.id}`,
    })),
    ...(stock.status === 'fulfilled' ? stock.value.keys : []).map(stockEntry),
    ...(customers.status === 'fulfilled' ? customers.value.customers : []).map((customer) => ({
      label: customer.email,
      detail: customer.name ?? '',
      to: `/customers/${customer.id}`,
    })),
    ...(products.status === 'fulfilled' ? products.value.products : []).map((product) => ({
      label: product.name,
      detail: product.id,
      to: `/products/${product.id}`,
    })),
  ]
}

/** Ctrl K: goes to a page, or finds a record. */
export function Palette({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const store = useStore()
  const go = useGo()
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim())
  const { data: found = [] } = useQuery({
    queryKey: [store.id, 'find', text],
    queryFn: () => find(store, text),
    enabled: isOpen && text.length >= LETTERS_MIN,
  })
  const open = (to: string) => {
    close()
    setTyped('')
    go(to)
  }
  return (
    <Command.Dialog
      open={isOpen}
      onOpenChange={(open) => !open && close()}
      label={shell.palette}
      contentClassName="palette"
      overlayClassName="overlay"
    >
      <Command.Input value={typed} onValueChange={setTyped} placeholder={shell.paletteHint} />
      <Command.List>
        <Command.Empty>{shell.noResults}</Command.Empty>
        {found.length > 0 && (
          <Command.Group heading={shell.found}>
            {found.map(({ to, label, detail }) => (
              // The server has searched already: the typed text keeps each record in the list.
              <Command.Item
                key={to}
                value={to}
                keywords={[label, detail, text]}
                onSelect={() => open(to)}
              >
                {label} <span className="quiet">{detail}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        <Command.Group heading={shell.goTo}>
          {entriesFor(store.role).map(
            ({ path, nav }) =>
              nav && (
                <Command.Item
                  key={path}
                  value={`${nav.label} ${path}`}
                  onSelect={() => open(path === '/' ? '/' : `/${path}`)}
                >
                  {nav.label}
                </Command.Item>
              ),
          )}
        </Command.Group>
      </Command.List>
    </Command.Dialog>
  )
}
