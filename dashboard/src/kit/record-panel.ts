import { useRouter } from '@tanstack/react-router'
import { type ComponentType, type MouseEvent, useEffect, useRef, useSyncExternalStore } from 'react'
import { useHref } from './link.tsx'
import { useSearch } from './list-search.ts'

export interface PanelProps {
  /** The id of the record in the address. */
  id: string
  /** The page of the record. */
  to: string
  close(): void
}

/** A panel that shows a record next to its list. */
export interface RecordPanel {
  /** The path of the pages of the records, such as `/orders`. */
  path: string
  /** The panel, whose code is loaded when it is first opened. */
  Panel: ComponentType<PanelProps>
}

/** A narrower window shows a record on its own page. */
const wideWindow = window.matchMedia('(min-width: 1000px)')

const subscribe = (listener: () => void) => {
  wideWindow.addEventListener('change', listener)
  return () => wideWindow.removeEventListener('change', listener)
}
const useIsWide = () => useSyncExternalStore(subscribe, () => wideWindow.matches)

/** The link of the row whose record is open. */
export const openLink = (): HTMLElement | null =>
  document.querySelector('a.row-link[aria-current="true"]')

/** The state of an entry of the history that was added when a panel opened: the query of the list below it. */
interface PanelState {
  listBelow?: string
}

/** "Back" closes a panel without `close`. The row then has the focus, as after Escape. */
function useFocusAfterBack(openId: string | undefined) {
  const formerId = useRef<string>(undefined)
  useEffect(() => {
    const id = formerId.current
    formerId.current = openId
    if (openId !== undefined || id === undefined) return
    if (document.activeElement !== document.body) return
    const row = document.querySelector<HTMLElement>(`a.row-link[href$="/${CSS.escape(id)}"]`)
    ;(row ?? document.querySelector('h1'))?.focus({ preventScroll: true })
  }, [openId])
}

const textOf = (query: Record<string, string>) => new URLSearchParams(query).toString()

/**
 * The record that is open next to the list. The address names it, so "back" closes it and a copied address opens it.
 * The list keeps its scroll position.
 */
export function useOpenRecord(path: string | undefined) {
  const router = useRouter()
  const hrefOf = useHref()
  const isWide = useIsWide()
  const [search] = useSearch()
  const { open, ...listQuery } = search
  // An empty value in the address names no record.
  const openId = path === undefined || open === '' ? undefined : open
  const closingId = useRef<string>(undefined)
  if (openId !== closingId.current) closingId.current = undefined
  const { listBelow } = router.history.location.state as PanelState
  const isAboveList = openId !== undefined && listBelow === textOf(listQuery)

  useFocusAfterBack(openId)
  useEffect(() => {
    if (openId !== undefined && !isWide) router.history.replace(hrefOf(`${path}/${openId}`))
  }, [path, openId, isWide, router, hrefOf])

  return {
    openId: isWide ? openId : undefined,
    /** Opens the record of a followed link, unless the user opens it in another tab. */
    openFromClick(event: MouseEvent<HTMLElement>) {
      const link = (event.target as HTMLElement).closest('a.row-link')
      const id = link?.getAttribute('href')?.split('/').at(-1)
      const isForAnotherTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
      if (path === undefined || id === undefined || !isWide) return
      if (isForAnotherTab || event.button !== 0) return
      event.preventDefault()
      // The next record takes the entry of the history, so that "back" closes the panel.
      const isNew = openId === undefined
      void router.navigate({
        to: '.',
        search: { ...listQuery, open: id } as never,
        resetScroll: false,
        replace: !isNew,
        ...((isNew || isAboveList) && { state: { listBelow: textOf(listQuery) } as never }),
      })
    },
    close() {
      if (openId === undefined || closingId.current === openId) return
      closingId.current = openId
      // A list that is still loading has no row yet.
      const target = openLink() ?? document.querySelector('h1')
      // "Back" then leads away from the list, and does not open the panel again or stay on the list.
      if (isAboveList) router.history.back()
      else
        void router.navigate({
          to: '.',
          search: listQuery as never,
          resetScroll: false,
          replace: true,
        })
      target?.focus({ preventScroll: true })
      // The router restores the scroll position that the list had before.
      const stop = router.subscribe('onRendered', () => {
        stop()
        target?.scrollIntoView({ block: 'nearest' })
      })
    },
  }
}
