import type { ReactNode } from 'react'
import { useRead } from '../api/store.ts'
import { Loaded } from './states.tsx'

const useAccount = (options: { isOptional?: boolean } = {}) =>
  useRead(['account'], async ({ api }) => (await api.account.get()).account, options)

/** The currency of the store, for new amounts; undefined until it is loaded. */
export const useCurrency = (): string | undefined =>
  useAccount({ isOptional: true }).data?.store.currency

interface WithCurrencyProps {
  /** The skeleton rows that are shown until the currency is loaded. */
  rows?: number
  children: (currency: string) => ReactNode
}

/** A part of a page that needs the currency of the store. Without it the part shows the error. */
export const WithCurrency = ({ rows = 0, children }: WithCurrencyProps) => (
  <Loaded read={useAccount()} rows={rows}>
    {({ store }) => children(store.currency)}
  </Loaded>
)
