import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useDeferredValue, useState } from 'react'
import { type StoreContext, useStore } from '../api/store.ts'
import { useGo } from '../kit/link.tsx'
import { shell } from '../text/shell.ts'
import { entriesFor } from './pages.ts'

interface Found {
  label: string
  detail: string
  to: string
}

const LETTERS_MIN = 2

/** Finds records by what a person would paste: a number, an address, a key, an id. */
async function find({ api }: StoreContext, text: string): Promise<Found[]> {
  const [orders, customers, products] = await Promise.allSettled([
    api.orders.list({ search: text, limit: 5 }),
    api.customers.list({ search: text, limit: 5 }),
    api.products.list({ search: text, limit: 5 }),
  ])
  return [
    ...(orders.status === 'fulfilled' ? orders.value.orders : []).map((order) => ({
      label: `#${order.number} · ${order.customer.email}`,
      detail: order.status,
      to: `/orders/${order.id}`,
    })),
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
          <Command.Group heading={shell.found} forceMount>
            {found.map(({ to, label, detail }) => (
              <Command.Item
                key={to}
                value={`${label} ${detail} ${text}`}
                forceMount
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
