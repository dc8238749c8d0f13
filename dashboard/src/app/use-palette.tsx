import { type ReactNode, useCallback, useRef, useState } from 'react'
import { shell } from '../text/shell.ts'
import { useDeferredImport } from './deferred-import.ts'

const loadPalette = () => import('./palette.tsx')

/**
 * The function that opens the command palette, and the palette. While the palette's code is loaded, an input
 * takes what the user types.
 */
export function usePalette(): { openPalette: () => void; palette: ReactNode } {
  const [isOpen, setOpen] = useState(false)
  const [input, setInput] = useState('')
  const [code, load] = useDeferredImport(loadPalette)
  const opener = useRef<HTMLElement>(null)
  const openPalette = useCallback(() => {
    opener.current = document.activeElement as HTMLElement
    setOpen(true)
    load('opened')
  }, [load])
  const close = () => {
    setOpen(false)
    setInput('')
  }
  const palette = code ? (
    <code.Palette {...{ isOpen, input, setInput, close, opener }} />
  ) : (
    isOpen && (
      <input
        className="palette"
        // biome-ignore lint/a11y/noAutofocus: the user asked for the palette and types into it.
        autoFocus
        aria-label={shell.palette}
        value={input}
        onChange={({ target }) => setInput(target.value)}
        onKeyDown={({ key }) => {
          if (key !== 'Escape') return
          close()
          opener.current?.focus()
        }}
      />
    )
  )
  return { openPalette, palette }
}
