import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'

/** The longest wait for the heading of a page. A heading that is shown later does not take the focus. */
const WATCH_MS = 10_000

/** The navigation that opened a page. */
interface PageChange {
  /** The path of the page that was left, if the user went back to a page that may link to it. */
  leftPath?: string | undefined
  /** True if a tab of the record was opened. */
  isTab: boolean
}

/**
 * Moves the focus to a page that opens, as after a full page load: to its heading, or to the opened tab. If the
 * user goes back to a list, the focus moves to the link of the record that the user left, so that the keyboard
 * continues in the same row.
 */
export function PageFocus({ main }: { main: RefObject<HTMLElement | null> }) {
  const router = useRouter()
  useEffect(() => {
    let stop = () => {}
    let isBack = false
    let isTab = false
    const unsubscribes = [
      router.history.subscribe(({ action }: { action: { type: string } }) => {
        isBack = action.type === 'BACK' || action.type === 'GO'
      }),
      // The focused tab is gone once the next page is rendered.
      router.subscribe('onBeforeNavigate', () => {
        isTab = !!document.activeElement?.closest('.tabs')
      }),
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!pathChanged || !fromLocation || !main.current) return
        stop()
        // The tabs kept the focus. It may be on another tab than the opened one, if the user moved on meanwhile.
        if (isTab && document.activeElement !== document.body) return
        stop = focusWhenShown(main.current, {
          leftPath: isBack ? fromLocation.pathname : undefined,
          isTab,
        })
      }),
    ]
    return () => {
      stop()
      for (const unsubscribe of unsubscribes) unsubscribe()
    }
  }, [router, main])
  return null
}

function focusWhenShown(main: HTMLElement, change: PageChange): () => void {
  const formerFocus = document.activeElement
  const isMoved = () => ![formerFocus, document.body].includes(document.activeElement)
  const attempt = () => {
    const target = isMoved() ? undefined : targetIn(main, change)
    target?.focus({ preventScroll: true })
    return target !== undefined || isMoved()
  }
  if (attempt()) return () => {}
  const watch = new MutationObserver(() => attempt() && stop())
  const timer = setTimeout(() => stop(), WATCH_MS)
  const stop = () => {
    watch.disconnect()
    clearTimeout(timer)
  }
  watch.observe(main, { childList: true, subtree: true })
  return stop
}

/** The element that takes the focus; undefined while it is not shown. */
function targetIn(main: HTMLElement, { leftPath, isTab }: PageChange): HTMLElement | undefined {
  if (document.querySelector('[role="dialog"]')) return undefined
  const links = [...main.querySelectorAll('a')]
  const link =
    leftPath === undefined ? undefined : links.find(({ pathname }) => pathname.endsWith(leftPath))
  if (link) return link
  // The rows of a list are shown after its heading.
  if (leftPath !== undefined && main.querySelector('.skeleton')) return undefined
  const tab = isTab ? main.querySelector<HTMLElement>('.tabs [aria-current]') : null
  return tab ?? main.querySelector<HTMLElement>('h1') ?? undefined
}
