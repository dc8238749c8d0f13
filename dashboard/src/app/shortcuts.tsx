import { useEffect, useState } from 'react'
import { Modal } from '../kit/action.tsx'
import { useGo } from '../kit/link.tsx'
import { shell } from '../text/shell.ts'
import { PAGES } from './pages.ts'
import { useSettings } from './settings.ts'

const JUMPS = PAGES.flatMap(({ path, nav }) =>
  nav?.key ? [{ key: nav.key, label: nav.label, to: path === '/' ? '/' : `/${path}` }] : [],
)
/** How long after `g` a letter still counts. */
const JUMP_MS = 1_500

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

const isPaletteKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey)

const isSingleKey = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) &&
  document.querySelector('[role="dialog"]') === null

function focusSearch(event: KeyboardEvent) {
  const search = document.querySelector<HTMLElement>('[data-search]')
  if (!search) return
  event.preventDefault()
  search.focus()
}

/** Single keys go to pages and search; they can be switched off. */
export function Shortcuts({ openPalette }: { openPalette: () => void }) {
  const go = useGo()
  const { singleKeys } = useSettings()
  const [isHelp, setHelp] = useState(false)
  useEffect(() => {
    let jumpUntil = 0
    const single: Record<string, (event: KeyboardEvent) => void> = {
      g: ({ timeStamp }) => {
        jumpUntil = timeStamp + JUMP_MS
      },
      '?': () => setHelp(true),
      '/': focusSearch,
    }
    const pressSingle = (event: KeyboardEvent) => {
      const isJump = event.timeStamp < jumpUntil
      jumpUntil = 0
      const jump = isJump && JUMPS.find(({ key }) => key === event.key)
      if (jump) go(jump.to)
      else single[event.key]?.(event)
    }
    const press = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault()
        openPalette()
      } else if (singleKeys && isSingleKey(event)) pressSingle(event)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [go, singleKeys, openPalette])

  const keys = [
    { keys: 'Ctrl K', label: shell.keyPalette },
    { keys: '/', label: shell.keySearch },
    { keys: '?', label: shell.keyHelp },
    ...JUMPS.map(({ key, label }) => ({ keys: `g ${key}`, label })),
  ]
  return (
    <Modal title={shell.shortcuts} isOpen={isHelp} onClose={() => setHelp(false)}>
      <dl className="facts keys">
        {keys.map((item) => (
          <div key={item.keys}>
            <dt>
              <kbd>{item.keys}</kbd>
            </dt>
            <dd>{item.label}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
