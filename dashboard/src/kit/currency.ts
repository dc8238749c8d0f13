import { useRead } from '../api/store.ts'

/** The currency of the store, which new amounts are in; undefined until it is known. */
export function useCurrency(): string | undefined {
  const { data } = useRead(['account'], async ({ api }) => (await api.account.get()).account)
  return data?.store.currency
}
