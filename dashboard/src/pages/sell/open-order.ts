import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useSyncExternalStore } from 'react'
import type { ListedOrder } from '../../api/store.ts'
import { useHref } from '../../kit/link.tsx'
import { useSearch } from '../../kit/list.tsx'

/** A narrower window shows an order on its own page. */
const wideWindow = window.matchMedia('(min-width: 1000px)')

const subscribe = (listener: () => void) => {
  wideWindow.addEventListener('change', listener)
  return () => wideWindow.removeEventListener('change', listener)
}
const useIsWide = () => useSyncExternalStore(subscribe, () => wideWindow.matches)

const linkOf = (id: string) =>
  document.querySelector<HTMLElement>(`a.row-link[href$="/orders/${CSS.escape(id)}"]`)

/**
 * The order that is open next to the list. The address names it, so "back" closes it and a copied
 * address opens it. The list keeps its scroll position.
 */
export function useOpenOrder() {
  const router = useRouter()
  const hrefOf = useHref()
  const isWide = useIsWide()
  const [search] = useSearch()
  const { open: openId, ...listQuery } = search
  const goTo = (next: Record<string, string>) =>
    router.navigate({ to: '.', search: next as never, resetScroll: false })

  useEffect(() => {
    if (openId !== undefined && !isWide) router.history.replace(hrefOf(`/orders/${openId}`))
  }, [openId, isWide, router, hrefOf])

  return {
    openOrderId: isWide ? openId : undefined,
    isOpen: ({ id }: ListedOrder) => id === openId,
    /** Opens the order of a followed link, unless the user opens it in another tab. */
    openFromClick(event: MouseEvent<HTMLElement>) {
      const link = (event.target as HTMLElement).closest('a.row-link')
      const id = link?.getAttribute('href')?.split('/').at(-1)
      const isForAnotherTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
      if (id === undefined || !isWide || isForAnotherTab || event.button !== 0) return
      event.preventDefault()
      void goTo({ ...listQuery, open: id })
    },
    close() {
      if (openId === undefined) return
      const link = linkOf(openId)
      void goTo(listQuery)
      link?.focus({ preventScroll: true })
    },
  }
}
