import { useRouterState } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { reloadPage } from '../api/connection.ts'
import { useConnection } from '../kit/connection.tsx'

/** Code that arrives within this time replaces the former page at once. */
const DELAY_MS = 500
/** A server that was silent and answers again sends within this time the code that it has not lost. */
const LOST_MS = 3_000

/**
 * Says that the code of a page, or of a tab of the shown page, is being loaded. The browser neither ends
 * nor repeats its request. If the server was silent and has lost it, the document is loaded again.
 */
export function useOpening(main: RefObject<HTMLElement | null>): 'page' | 'tab' | undefined {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' })
  const { isSilent } = useConnection()
  const [isShown, setShown] = useState(false)
  const wasSilent = useRef(false)
  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => setShown(true), DELAY_MS)
    return () => {
      clearTimeout(timer)
      setShown(false)
      wasSilent.current = false
    }
  }, [isPending])
  useEffect(() => {
    if (!isPending) return
    if (isSilent) wasSilent.current = true
    else if (wasSilent.current) {
      const timer = setTimeout(reloadPage, LOST_MS)
      return () => clearTimeout(timer)
    }
    return
  }, [isPending, isSilent])
  if (!isPending || !isShown) return undefined
  const tabs = [...(main.current?.querySelectorAll<HTMLAnchorElement>('.tabs a') ?? [])]
  return tabs.some(({ pathname }) => pathname === location.pathname) ? 'tab' : 'page'
}
