import { useEffect, useState } from 'react'
import { useOpenPage } from '../kit/link.tsx'
import { useDeferredImport } from './deferred-import.ts'
import { JUMPS } from './jumps.ts'
import { useSettings } from './settings.ts'

/** The time after `g` in which a letter opens a page. */
const JUMP_MS = 1_500

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

const isPaletteKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey)

const isUndoKey = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !isTyping(target)

/** Letters select entries in an open menu, so they are not shortcuts there. */
const isSingleKey = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) &&
  document.querySelector('[role="dialog"], [role="menu"]') === null

function focusSearch(event: KeyboardEvent) {
  const search = document.querySelector<HTMLElement>('[data-search]')
  if (!search) return
  event.preventDefault()
  search.focus()
}

/**
 * Focuses the link of the next or the previous row of the lists on the page. A panel next to the list then shows the
 * record of that row.
 */
function focusRow(step: 1 | -1) {
  const links = [...document.querySelectorAll<HTMLElement>('main .row-link:not(aside *)')]
  const focused = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  const index = focused === -1 ? links.findIndex((link) => link.ariaCurrent) : focused
  const next = links[index === -1 ? 0 : index + step]
  next?.focus()
  if (document.querySelector('.side-panel')) next?.click()
}

/** Presses the first action of the page. */
function openFirstAction(event: KeyboardEvent) {
  // The letter is not typed into the form that opens.
  event.preventDefault()
  document.querySelector<HTMLElement>('.page-head button.primary')?.click()
}

/** Undoes the last action while the page offers it. */
function undo(event: KeyboardEvent) {
  const button = document.querySelector<HTMLElement>('.toast button')
  if (!button) return
  event.preventDefault()
  button.click()
}

const importHelp = () => import('./shortcuts-help.tsx')

/** Opens pages and the search with single keys. The user can turn single keys off. */
export function Shortcuts({ openPalette }: { openPalette: () => void }) {
  const openPage = useOpenPage()
  const { singleKeys } = useSettings()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [help, loadHelp] = useDeferredImport(importHelp)
  useEffect(() => {
    let jumpUntil = 0
    const singleKeyActions: Record<string, (event: KeyboardEvent) => void> = {
      g: ({ timeStamp }) => {
        jumpUntil = timeStamp + JUMP_MS
      },
      '?': () => {
        setHelpOpen(true)
        loadHelp('opened')
      },
      '/': focusSearch,
      j: () => focusRow(1),
      k: () => focusRow(-1),
      n: openFirstAction,
    }
    const handleSingleKey = (event: KeyboardEvent) => {
      const isJump = event.timeStamp < jumpUntil
      jumpUntil = 0
      const jump = isJump && JUMPS.find(({ key }) => key === event.key)
      if (jump) openPage(jump.to)
      else singleKeyActions[event.key]?.(event)
    }
    const handleKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault()
        openPalette()
      } else if (isUndoKey(event)) undo(event)
      else if (singleKeys && isSingleKey(event)) handleSingleKey(event)
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [openPage, singleKeys, openPalette, loadHelp])

  return isHelpOpen && help ? <help.ShortcutsHelp close={() => setHelpOpen(false)} /> : null
}
